import { expect, it } from 'vitest';
import { defineEndpoint } from '../../src/contract/define-endpoint.js';
import { input, optional, text } from '../../src/contract/fields.js';
import { doneResponse } from '../../src/contract/response.js';

type Limits = { limit: string; note?: string | undefined };

const common = {
  id: 'card.setLimits',
  method: 'POST',
  path: '/v1/card/limits',
  pageAccess: 'on-request',
  input: input({ limit: text, note: optional(text) }),
  responses: { 200: doneResponse },
} as const;
const undecided = { details: ['limit'], undecidedBecause: 'no read shows limits' } as const;

/** Compiled by `npm run types`. */
function declarations() {
  return [
    defineEndpoint<Limits, unknown>({ ...common, retry: 'safe' }),
    defineEndpoint<Limits, unknown>({ ...common, retry: 'never', reconcile: undecided }),
    // @ts-expect-error a request that must not be sent twice says how it is looked up
    defineEndpoint<Limits, unknown>({ ...common, retry: 'never' }),
    defineEndpoint<Limits, unknown>({
      ...common,
      retry: 'issues-token',
      retryWhen: { field: 'note', is: 'twice', retry: 'never' },
      reconcile: undecided,
    }),
    defineEndpoint<Limits, unknown>({
      ...common,
      retry: 'issues-token',
      // @ts-expect-error and so does one that must not be sent twice with some inputs
      retryWhen: { field: 'note', is: 'twice', retry: 'never' },
    }),
    // @ts-expect-error requests of other classes are not recorded
    defineEndpoint<Limits, unknown>({ ...common, retry: 'safe', reconcile: undecided }),
    defineEndpoint<Limits, unknown>({
      ...common,
      retry: 'never',
      // @ts-expect-error the input has no such field
      reconcile: { ...undecided, details: ['amount'] },
    }),
    defineEndpoint<Limits, unknown>({
      ...common,
      retry: 'never',
      // @ts-expect-error the input has no such field
      reconcile: { ...undecided, target: ['amount'] },
    }),
    // @ts-expect-error neither a look nor a reason
    defineEndpoint<Limits, unknown>({ ...common, retry: 'never', reconcile: { details: [] } }),
  ];
}

it('the type of a declaration checks how its requests are looked up', () => {
  expect(declarations).toBeTypeOf('function');
});
