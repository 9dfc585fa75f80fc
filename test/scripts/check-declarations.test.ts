import { expect, it } from 'vitest';
import {
  declaredEndpoints,
  declaredObserved,
  requireKnownFacts,
} from '../../scripts/generate/declared-endpoints.js';
import { completeEndpoint } from '../../src/contract/define-endpoint.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { refusal } from '../../src/contract/refusals.js';

const DECLARED = await declaredEndpoints();
const OBSERVED = await declaredObserved();

/** The declarations, of which `card.unfreeze` is changed. */
const withChange = (change: object) =>
  DECLARED.map((one) =>
    one.endpoint.id === 'card.unfreeze'
      ? { ...one, endpoint: { ...one.endpoint, ...change } as Endpoint }
      : one,
  );
const tooLow = { code: 'limit_too_low', status: 422, messages: ['limit is too low'] };
const withRefusal = (change: object) => withChange({ businessErrors: [{ ...tooLow, ...change }] });

/** What a declaration with these results of a retry is completed to. */
const whenRetried = (resultWhenRetried: Readonly<Record<string, unknown>>) =>
  completeEndpoint({
    id: 'card.freeze',
    method: 'POST',
    path: '/v1/card/freeze',
    retry: 'idempotent',
    resultWhenRetried,
    businessErrors: [refusal('card_already_frozen', 400, 'card is already frozen')],
  }).retryResolutions;

it('a result of a retry has the status of its refusal', () => {
  const result = { resolvedByRetry: true };
  expect(whenRetried({ card_already_frozen: result, 404: null })).toEqual([
    { status: 404, means: 'done', result: null },
    { status: 400, code: 'card_already_frozen', means: 'done', result },
  ]);
});

it('the generator accepts every declaration, and a new refusal', () => {
  expect(() => requireKnownFacts(DECLARED)).not.toThrow();
  expect(() => requireKnownFacts(OBSERVED)).not.toThrow();
  expect(() => requireKnownFacts(withRefusal({}))).not.toThrow();
});

it.each([
  ['a refusal without a status', withRefusal({ status: undefined }), /limit_too_low has no error/],
  ['a refusal with a success status', withRefusal({ status: 207 }), /limit_too_low has no error/],
  ['a refusal with a status above 599', withRefusal({ status: 600 }), /limit_too_low has no error/],
  ['a refusal without a message', withRefusal({ messages: [] }), /limit_too_low has no message/],
  [
    'a message in upper case',
    withRefusal({ messages: ['Too low'] }),
    /limit_too_low has no message/,
  ],
  ['a code that is not in snake case', withRefusal({ code: 'tooLow' }), /tooLow is not in snake/],
  [
    'a retry that means a refusal that is not documented',
    withChange({ retryResolutions: whenRetried({ card_frozen: {} }) }),
    /resultWhenRetried has a key that is neither/,
  ],
  [
    'a retry that means a success status',
    withChange({ retryResolutions: whenRetried({ 200: {} }) }),
    /resultWhenRetried has a key that is neither/,
  ],
  [
    'a request that must not be sent twice, without a way to look it up',
    withChange({ reconcile: undefined }),
    /class never, but declares neither reconcile nor isRecorded: false/,
  ],
  [
    'an observed call without certainty',
    withChange({ isOutsideContract: true }),
    /has no certainty/,
  ],
  ['a retry class that it does not know', withChange({ retry: { class: 'once' } }), /once is not/],
  [
    'an id that exists twice',
    withChange({ id: 'card.freeze' }),
    /card\.freeze: its id exists twice/,
  ],
])('the generator stops at %s', (_, declared, message) => {
  expect(() => requireKnownFacts(declared)).toThrow(message);
});
