import { expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';

/** Builds the request of a row by hand, without the client. */
function requestOf(row: (typeof CONTRACT_ROWS)[number], baseUrl: string, headers: HeadersInit) {
  const uuid = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
  const path = row.path.replace(/\{[A-Za-z]+\}/g, uuid);
  const withBody = row.body && row.method !== 'GET';
  return new Request(`${baseUrl}${path}`, {
    method: row.method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(withBody && { body: '{}' }),
  });
}

type Row = (typeof CONTRACT_ROWS)[number];

const keyOf = (row: Row) => row.auth.find((name) => name === 'clientKey' || name === 'clientId');
const HEADER = { clientKey: 'x-client-key', clientId: 'x-client-id' } as const;

function setUp(row: Row) {
  const mock = createMockPlatform();
  const user = mock.users.add({ card: 'ACTIVE' });
  const headers: Record<string, string> = {};
  const key = keyOf(row);
  if (key !== undefined) headers[HEADER[key]] = mock.credentials[key];
  if (row.auth.includes('secretKey')) headers['x-secret-key'] = mock.credentials.secretKey;
  if (row.auth.includes('bearer')) headers['authorization'] = `Bearer ${mock.accessTokenFor(user)}`;
  const statusWith = async (changed: Record<string, string>) =>
    (await mock.fetch(requestOf(row, mock.baseUrl, changed))).status;
  return { mock, headers, statusWith };
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
}

it.each(CONTRACT_ROWS)('the mock of $id accepts its credentials', async (row) => {
  const { headers, statusWith } = setUp(row);
  expect([401, 498, 499]).not.toContain(await statusWith(headers));
});

it.each(
  CONTRACT_ROWS.filter((row) => keyOf(row) !== undefined),
)('the mock of $id responds 499 without a key and 498 to a wrong one', async (row) => {
  const { headers, statusWith } = setUp(row);
  const header = HEADER[keyOf(row) ?? 'clientKey'];
  expect(await statusWith(without(headers, header))).toBe(499);
  expect(await statusWith({ ...headers, [header]: 'other' })).toBe(498);
});

it.each(
  CONTRACT_ROWS.filter((row) => keyOf(row) !== undefined),
)('the 499 and 498 of the mock of $id name the missing credential', async (row) => {
  const { mock, headers } = setUp(row);
  const key = keyOf(row) ?? 'clientKey';
  const label = { clientKey: 'client key', clientId: 'client id' }[key];
  const textWith = async (changed: Record<string, string>) =>
    (await mock.fetch(requestOf(row, mock.baseUrl, changed))).text();
  expect(await textWith(without(headers, HEADER[key]))).toContain(`Missing ${label}`);
  expect(await textWith({ ...headers, [HEADER[key]]: 'other' })).toContain(`Invalid ${label}`);
});

it.each(
  CONTRACT_ROWS.filter(({ auth }) => auth.includes('bearer')),
)('the mock of $id responds 401 without a valid access token', async (row) => {
  const { mock, headers, statusWith } = setUp(row);
  expect(await statusWith(without(headers, 'authorization'))).toBe(401);
  expect(await statusWith({ ...headers, authorization: 'Bearer other' })).toBe(401);
  mock.advance('6 hours');
  expect(await statusWith(headers)).toBe(401);
});

it.each(
  CONTRACT_ROWS.filter(({ auth }) => auth.includes('secretKey')),
)('the mock of $id responds 401 without the secret key', async (row) => {
  const { headers, statusWith } = setUp(row);
  expect(await statusWith(without(headers, 'x-secret-key'))).toBe(401);
});

it('the error for a request to an unknown endpoint names the nearest one', async () => {
  const mock = createMockPlatform();
  await expect(mock.fetch(`${mock.baseUrl}/v1/card/freze`, { method: 'POST' })).rejects.toThrow(
    /POST .*\/v1\/card\/freze.*nearest is POST \/v1\/card\//,
  );
  await expect(mock.fetch('https://real.example.com/v1/card/status')).rejects.toThrow(
    /no endpoint/,
  );
});

it('two mock platforms share no state, and generate the same ids in every run', async () => {
  const one = createMockPlatform();
  const other = createMockPlatform();
  const ada = one.users.add();
  expect(other.state.users).toEqual([]);
  expect(other.users.add()).toEqual(ada);
  expect(createMockPlatform({ seed: 1 }).users.add()).toEqual(ada);
  expect(createMockPlatform({ seed: 2 }).users.add().id).not.toBe(ada.id);
});

it('the client works with the fetch of a mock platform', async () => {
  const mock = createMockPlatform();
  const ada = mock.users.add({ card: 'ACTIVE' });
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(ada),
  });
  await client.card.freeze();
  expect(mock.users.get(ada.id).card?.status).toBe('FROZEN');
  expect(mock.requests).toMatchObject([{ operation: 'card.freeze', method: 'POST', status: 200 }]);
});
