import { expect, it } from 'vitest';
import { clientFor, clientReceiving, json, rejection } from '../support/clients.js';

const txHash = `0x${'ab'.repeat(32)}`;

it.each<[string, number, object]>([
  ['a 400', 400, { message: JSON.stringify({ error: 'Timeout', details: { txHash } }) }],
  [
    'success: false',
    200,
    { success: false, message: JSON.stringify({ error: 'Timeout', txHash }) },
  ],
])('a transaction in the JSON inside the message of %s is evidence', async (_, status, body) => {
  const call = clientReceiving(json(body, status)).wallets.credit.withdraw({ amount: '10' });
  expect(await rejection(call)).toMatchObject({ outcome: 'unknown', probableOutcome: 'executed' });
});

it.each(['{}', 'null'])('%s proves no command, whatever a schema accepts', async (body) => {
  const validate = (value: unknown) => ({ value });
  const schema = { '~standard': { version: 1, vendor: 'test', validate } } as never;
  const client = clientFor('https://api.example.com', { fetch: async () => json(body) });
  const call = client.request('POST', '/v1/payouts', { body: {}, retryClass: 'never', schema });
  expect(await rejection(call)).toMatchObject({ outcome: 'unknown' });
});

it.each([
  '{}',
  'null',
])('%s is the result of a command that declares an empty body as done', async (body) => {
  const validate = (value: unknown) => ({ value });
  const schema = { '~standard': { version: 1, vendor: 'test', validate } } as never;
  const client = clientFor('https://api.example.com', { fetch: async () => json(body) });
  const options = { body: {}, retryClass: 'never', mayBeEmpty: true, schema } as const;
  await expect(client.request('POST', '/v1/payouts', options)).resolves.toEqual({});
});
