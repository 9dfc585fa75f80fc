import { describe, expect, it } from 'vitest';
import type { MockPlatformOptions } from '../../src/testing/index.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';
import { setUp } from './set-up.js';

type Sent = { method: string; path: string; body?: unknown };

/** Sends a body as a program without the client would, with all credentials. */
function setUpRaw(options: MockPlatformOptions = {}) {
  const { mock, ada, ...others } = setUp({ card: 'ACTIVE' }, options);
  const { clientKey, clientId, secretKey } = mock.credentials;
  const send = async (type: string | undefined, { method, path, body }: Sent) => {
    const response = await mock.fetch(`${mock.baseUrl}${path}`, {
      method,
      headers: {
        'x-client-key': clientKey,
        'x-client-id': clientId,
        'x-secret-key': secretKey,
        authorization: `Bearer ${mock.accessTokenFor(ada)}`,
        ...(type !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  return { mock, ada, send, ...others };
}

const PIN = { method: 'POST', path: '/v1/card/pin/token', body: { customCss: {} } };
const WRONG_TYPE = /Content-Type\b.*must be application\/json/;

describe('a request whose body is not said to be JSON', () => {
  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/problem+json',
    'text/plain; of=application/json',
  ])('is refused: %s', async (type) => {
    const { send } = setUpRaw();
    const { status, text } = await send(type, PIN);
    expect(status).toBe(422);
    expect(text).toMatch(WRONG_TYPE);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=UTF-8',
    'application/json ; charset=utf-8',
  ])('is accepted: %s', async (type) => {
    expect((await setUpRaw().send(type, PIN)).status).toBe(200);
  });

  const withBody = CONTRACT_ROWS.filter(
    ({ contract, call }) => contract && call.body !== undefined,
  );
  it.each(withBody)('is refused by $id like a missing field', async ({ id, method, call }) => {
    const { mock, send } = setUpRaw();
    const { path, body } = call;
    const { status, text } = await send(undefined, { method, path, body });
    const isShort = /^consent\.|^webhooks\.|^wallets\.credit\.withdraw$/.test(id);
    expect(status).toBe(isShort ? 400 : 422);
    expect(text).toMatch(WRONG_TYPE);
    expect(mock.requests.last?.operation).toBe(id);
  });
});

it('needs no type for a request without a body, and its credentials come first', async () => {
  const { mock, send } = setUpRaw();
  expect((await send(undefined, { method: 'POST', path: '/v1/card/freeze' })).status).toBe(200);
  const { path, body } = PIN;
  const response = await mock.fetch(`${mock.baseUrl}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(499);
});

it('is accepted by choice, and its fields are checked', async () => {
  const { mock, send } = setUpRaw();
  mock.state.choices.untypedBody = 'accepted';
  expect((await send(undefined, PIN)).status).toBe(200);
  const { text } = await send('text/plain', {
    ...PIN,
    body: { customCss: { backgroundColor: 'red' } },
  });
  expect(text).toContain('customCss');
  mock.state.choices.untypedBody = 'refused';
  expect((await send(undefined, PIN)).status).toBe(422);
});

it('is accepted by an observed call', async () => {
  const { send } = setUpRaw({ observed: true });
  const path = '/v1/auth/password/reset/request';
  const { status } = await send(undefined, { method: 'POST', path, body: { email: 'a@b.c' } });
  expect(status).toBe(200);
});

it('gives a route of your own the body as it is', async () => {
  const { mock, send } = setUpRaw();
  mock.serve('POST', '/v1/limits', ({ body }) => ({ body: { got: body } }));
  const { text } = await send(undefined, { method: 'POST', path: '/v1/limits', body: { a: 1 } });
  expect(JSON.parse(text)).toEqual({ got: { a: 1 } });
});
