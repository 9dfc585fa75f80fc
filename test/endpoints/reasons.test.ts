import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { defineEndpoint } from '../../src/endpoints/index.js';

const GET = { id: 'own.get', method: 'GET', path: '/v9/own', retry: 'safe' } as const;
const input = z.strictObject({ id: z.string(), name: z.string() });
const PAY = { ...GET, id: 'own.pay', method: 'POST', retry: 'never', input } as const;
const look = async () => ({ isDone: true });
const recorded = (reconcile: unknown, more: object = {}) => ({ ...PAY, ...more, reconcile });
const declare = defineEndpoint as (declaration: unknown) => unknown;

it.each<[reason: string, declaration: unknown]>([
  ['the options must be an object.', 'GET /v9/own'],
  ['respones is not a known option. Did you mean response?', { ...GET, respones: 'text' }],
  ['id must be a name such as statements.download.', { ...GET, id: 'a b' }],
  ['method must be one of GET, POST, PUT, PATCH, DELETE.', { ...GET, method: 'HEAD' }],
  [
    'path must be a path template such as /v1/things/{id}, without query or host.',
    { ...GET, path: '/v9/../x' },
  ],
  ['retry must be one of safe, idempotent, issues-token, never.', { ...GET, retry: 'always' }],
  ['pageAccess must be one of allowed, on-request, never.', { ...GET, pageAccess: 'yes' }],
  ['input must be a Standard Schema.', { ...GET, input: {} }],
  ['input is missing: the path or query needs it.', { ...GET, path: '/v9/{id}' }],
  ['input is missing: the path or query needs it.', { ...GET, query: ['id'] }],
  ['output must be a Standard Schema.', { ...GET, output: 'text' }],
  ['query must be an array of names.', { ...GET, input, query: 'id' }],
  [
    'query must not contain a field of the path.',
    { ...GET, input, path: '/v9/{id}', query: ['id'] },
  ],
  ['query must contain region for this routing.', { ...GET, input, routing: 'header-or-query' }],
  ['wireNames must be an object.', { ...GET, input, wireNames: ['id'] }],
  [
    'wireNames must be names that a JSON object may have.',
    { ...GET, input, wireNames: { id: '' } },
  ],
  [
    'wireNames must not send two fields under one name.',
    { ...GET, input, wireNames: { id: 'x', name: 'x' } },
  ],
  [
    'wireNames must not contain a field of the path.',
    { ...GET, input, path: '/v9/{id}', wireNames: { id: 'x' } },
  ],
  ['sendsBody must be one of true, false.', { ...GET, sendsBody: 'yes' }],
  ['sendsBody must not be true for GET.', { ...GET, sendsBody: true }],
  [
    'credentials must be an array of clientKey, clientId, secretKey, accessToken.',
    { ...GET, credentials: ['password'] },
  ],
  ['routing must be one of header, header-or-query, none.', { ...GET, routing: 'query' }],
  ['response must be one of json, text, bytes.', { ...GET, response: 'blob' }],
  ['accept must be media types such as text/csv.', { ...GET, accept: '' }],
  [
    'maxResponseBytes must be a whole number of bytes from 1 to 1073741824.',
    { ...GET, maxResponseBytes: 0 },
  ],
  ['secretInputs must be an array of names.', { ...GET, secretInputs: 'pin' }],
  ['secrets must be an array of names.', { ...GET, secrets: [1] }],
  ['errors must be an array of error statuses from 400 to 599.', { ...GET, errors: [200] }],
  ['mayBeEmpty must be one of true, false.', { ...GET, mayBeEmpty: 'yes' }],
  ['mediaTypes must be an array of names.', { ...GET, mediaTypes: 'text/csv' }],
  ['bodyEncoding must be one of json, form.', { ...GET, bodyEncoding: 'xml' }],
  ['renewsToken must be one of true, false.', { ...GET, renewsToken: 1 }],
  ['isRecorded must be one of true, false.', { ...GET, isRecorded: 1 }],
  ['headerFields must be an object.', { ...GET, input, headerFields: [] }],
  [
    'headerFields must not contain a field of path or query.',
    { ...GET, input, query: ['name'], headerFields: { name: 'x-name' } },
  ],
  [
    'headerFields must not contain a field of path or query.',
    { ...GET, input, path: '/v9/{id}', headerFields: { id: 'x-id' } },
  ],
  ...['1404', '4040', '40', '500', '399'].map((status): [string, unknown] => [
    'resultWhen must be an object with statuses from 400 to 499.',
    { ...GET, resultWhen: { 404: null, [status]: null } },
  ]),
  [
    'resultWhenRetried must be an object with statuses from 400 to 499.',
    { ...GET, resultWhenRetried: { 500: null } },
  ],
  ['maxRequests must be a whole number from 1.', { ...GET, maxRequests: 0 }],
  ['retryWithin must be whole milliseconds from 1 to 2147483647.', { ...GET, retryWithin: 0 }],
  ['retryAfterNoResponse must be one of true, false.', { ...GET, retryAfterNoResponse: 1 }],
  [
    'retryAfterStatuses must be a list of statuses from 500 to 599.',
    { ...GET, retryAfterStatuses: 503 },
  ],
  [
    'retryAfterStatuses must be a list of statuses from 500 to 599.',
    { ...GET, retryAfterStatuses: [503, 500.5] },
  ],
  [
    'retryAfterConnectFailure must be a whole number from 0.',
    { ...GET, retryAfterConnectFailure: -1 },
  ],
  ['reconcile must be an object.', recorded('look')],
  ['reconcile is for retry class never.', recorded({ details: [], look }, { retry: 'safe' })],
  [
    'reconcile does not go with isRecorded: false, which leaves nothing to look up.',
    recorded({ details: [], look }, { isRecorded: false }),
  ],
  ['reconcile.details must be an array of names.', recorded({ details: 'name', look })],
  [
    'reconcile.details must not contain a field of secretInputs.',
    recorded({ details: ['id', 'name'], look }, { secretInputs: ['name'] }),
  ],
  ['reconcile.target must be an array of names.', recorded({ details: [], target: 'id', look })],
  [
    'reconcile.target must contain only names of reconcile.details.',
    recorded({ details: ['name'], target: ['name', 'id'], look }),
  ],
  [
    'reconcile.listDetails must contain only names of reconcile.details.',
    recorded({ details: ['name'], listDetails: { name: ['a'], id: ['a'] }, look }),
  ],
  [
    'reconcile.listDetails must be an array of names.',
    recorded({ details: ['name'], listDetails: { name: 'a' }, look }),
  ],
  [
    'reconcile.actsOn must be a name such as statements.download.',
    recorded({ details: [], actsOn: 'two words', look }),
  ],
  ['reconcile.look must be a function.', recorded({ details: [] })],
  [
    'reconcile.look does not go with reconcile.undecidedBecause.',
    recorded({ details: [], look, undecidedBecause: 'nobody knows' }),
  ],
  ...[' ', 7].map((undecidedBecause): [string, unknown] => [
    'reconcile.undecidedBecause must be a text.',
    recorded({ details: [], undecidedBecause }),
  ]),
  [
    'reconcile.takesFromWallets must be one of true, false.',
    recorded({ details: [], look, takesFromWallets: 'no' }),
  ],
  [
    'reconcile.isOfTenant must be one of true, false.',
    recorded({ details: [], look, isOfTenant: 1 }),
  ],
  [
    'reconcile.verdict is not a known option. The options are actsOn, details, isOfTenant, listDetails, look, takesFromWallets, target, undecidedBecause.',
    recorded({ details: [], look, verdict: 'executed' }),
  ],
])('a declaration that cannot work is refused with its reason: %s', (message, declaration) => {
  expect(() => declare(declaration)).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', message, outcome: 'not_sent' }),
  );
});
