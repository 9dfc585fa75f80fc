import { expect, it } from 'vitest';
import { clientFor, fetchFailure, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';
const lost = () => fetchFailure('ECONNRESET', 'read');

it.each([
  ['success: false', { success: false, message: 'Card is already frozen' }],
  ['statusCode', { statusCode: 409, message: 'Duplicate request' }],
])('a refusal of a retry inside a 2xx does not hide the first request: %s', async (_, body) => {
  const { fetch } = scriptedFetch(lost(), json(body));
  const error = await rejection(clientFor(BASE_URL, { fetch }).card.freeze());
  expect(error).toMatchObject({ outcome: 'unknown', attempts: 2 });
  expect(String(error)).not.toContain('nothing was done');
});

it('nor for a payout of the caller with a key of its own', async () => {
  const { fetch } = scriptedFetch(lost(), json({ success: false, message: 'Duplicate request' }));
  const call = clientFor(BASE_URL, { fetch }).request('POST', '/v1/payouts', {
    body: { key: 'k1' },
    retryClass: 'idempotent',
  });
  expect(await rejection(call)).toMatchObject({ outcome: 'unknown', attempts: 2 });
});

it.each([
  ['a 503', () => json({ message: 'failure to get a peer from the ring-balancer' }, 503)],
  ['no response', lost],
])('after %s, the 404 of a gateway does not prove that a webhook was deleted', async (_, first) => {
  const { fetch } = scriptedFetch(
    first(),
    json({ message: 'no Route matched with those values' }, 404),
  );
  const id = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
  const call = clientFor(BASE_URL, { fetch }).webhooks.delete({ id });
  expect(await rejection(call)).toMatchObject({ outcome: 'unknown', attempts: 2 });
});
