import { expect, it } from 'vitest';
import { defineEndpoint } from '../../src/contract/define-endpoint.js';
import { input, optional, text } from '../../src/contract/fields.js';
import { doneResponse } from '../../src/contract/response.js';
import { ISSUES_TOKEN, NEVER, SAFE } from '../../src/contract/retry-policy.js';

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
    defineEndpoint<Limits, unknown>({ ...common, retry: SAFE }),
    defineEndpoint<Limits, unknown>({ ...common, retry: NEVER, reconcile: undecided }),
    // @ts-expect-error a request that must not be sent twice says how it is looked up
    defineEndpoint<Limits, unknown>({ ...common, retry: NEVER }),
    defineEndpoint<Limits, unknown>({
      ...common,
      retry: ISSUES_TOKEN,
      retryWhen: { field: 'note', is: 'twice', use: NEVER },
      reconcile: undecided,
    }),
    // @ts-expect-error and so does one that must not be sent twice with some inputs
    defineEndpoint<Limits, unknown>({
      ...common,
      retry: ISSUES_TOKEN,
      retryWhen: { field: 'note', is: 'twice', use: NEVER },
    }),
    // @ts-expect-error requests of other classes are not recorded
    defineEndpoint<Limits, unknown>({ ...common, retry: SAFE, reconcile: undecided }),
    defineEndpoint<Limits, unknown>({
      ...common,
      retry: NEVER,
      // @ts-expect-error the input has no such field
      reconcile: { ...undecided, details: ['amount'] },
    }),
    defineEndpoint<Limits, unknown>({
      ...common,
      retry: NEVER,
      // @ts-expect-error the input has no such field
      reconcile: { ...undecided, target: ['amount'] },
    }),
    // @ts-expect-error neither a look nor a reason
    defineEndpoint<Limits, unknown>({ ...common, retry: NEVER, reconcile: { details: [] } }),
  ];
}

it('the type of a declaration checks how its requests are looked up', () => {
  expect(declarations).toBeTypeOf('function');
});
