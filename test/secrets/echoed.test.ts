import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { CardPlatformClient } from '../../src/client.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { signedMessage } from '../support/signed-message.js';

const BASE_URL = 'https://api.example.com';
const UUID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
const EVM_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Returns everything that a careless program may print of an error. */
function printed(error: unknown): string {
  const shown = inspect(error, { depth: 12, showHidden: true, getters: true });
  const cause = inspect((error as Error).cause, { depth: 12 });
  return [shown, cause, JSON.stringify(error), String(error), (error as Error).stack].join('\n');
}

async function errorOf(
  response: () => Response,
  call: (client: CardPlatformClient) => PromiseLike<unknown>,
  options = {},
) {
  const client = clientFor(BASE_URL, { fetch: async () => response(), retry: false, ...options });
  return rejection(call(client));
}

describe('an error response that repeats a secret', () => {
  it('has the secret fields of the endpoint redacted', async () => {
    const body = { message: 'Key whk_new_key is active', data: { apiKey: 'whk_new_key' } };
    const error = await errorOf(
      () => json(body, 500),
      (c) => c.webhooks.rotateKey({ id: UUID }),
    );
    expect(printed(error)).not.toContain('whk_new_key');
    expect(error).toMatchObject({ serverMessage: 'Key [redacted] is active' });
  });

  it('has fields with secret names redacted, for any endpoint and at any depth', async () => {
    const body = { message: 'oops', debug: [{ session: { refresh_token: 'rt-12345678' } }] };
    const error = await errorOf(
      () => json(body, 500),
      (c) => c.card.status(),
    );
    expect(printed(error)).not.toContain('rt-12345678');
  });

  it('has the token of the call redacted, which the client does not know', async () => {
    const accessToken = 'bearer-of-this-call-only';
    const error = await errorOf(
      () => json({ message: `expired: ${accessToken}` }, 403),
      (c) => c.card.status({ accessToken }),
    );
    expect(printed(error)).not.toContain(accessToken);
    expect(error).toMatchObject({ serverMessage: 'expired: [redacted]' });
  });

  const password = 'pä"ss\\wörd & more/+%';
  it.each([
    ['unchanged', password],
    ['inside JSON', JSON.stringify({ password })],
    ['inside JSON inside JSON', JSON.stringify(JSON.stringify({ password }))],
    ['URL-encoded', `?password=${encodeURIComponent(password)}`],
    ['form-encoded', `password=${encodeURIComponent(password).replaceAll('%20', '+')}`],
  ])('has a secret value redacted %s', async (_, encoded) => {
    for (const body of [{ message: `got ${encoded}` }, encoded]) {
      const error = await errorOf(
        () => json(typeof body === 'string' ? body : JSON.stringify(body), 400),
        (c) => c.auth.login({ email: 'ada@example.com', password }),
      );
      const shown = printed(error);
      for (const part of ['wörd', 'w%C3%B6rd', 'w\\u00f6rd', encodeURIComponent(password)]) {
        expect(shown).not.toContain(part);
      }
    }
  });

  it.each([
    ['control characters and markup', 'pw\t\r\n\b\f<>&"\'|55'],
    ['an emoji', 'grüße 😀 12345'],
    ['more than two thousand characters', 'long.'.repeat(500)],
  ])('has a secret redacted that has %s', async (_, secret) => {
    const html = secret.replace(/[^A-Za-z0-9.]/gu, (one) => `&#${one.codePointAt(0)};`);
    const body = { message: `got ${secret} ${JSON.stringify(secret)}`, html };
    const error = await errorOf(
      () => json(body, 400),
      (c) => c.auth.login({ email: 'ada@example.com', password: secret }),
    );
    const shown = printed(error);
    for (const part of [secret, JSON.stringify(secret), html]) expect(shown).not.toContain(part);
    expect(error).toMatchObject({ serverMessage: 'got [redacted] "[redacted]"' });
  });

  it('has its request id redacted', async () => {
    const headers = { 'x-request-id': 'req-canary-access-token' };
    const lines: unknown[] = [];
    const logger = { debug: () => {}, warn: (...line: unknown[]) => lines.push(line) };
    const error = await errorOf(
      () => json({}, 404, headers),
      (c) => c.card.status(),
      { logger },
    );
    expect(error).toMatchObject({ requestId: 'req-[redacted]' });
    expect(printed(error) + inspect(lines, { depth: 9 })).not.toContain('canary');
  });

  it('has its message shortened and redacted when it asks for a one-time password', async () => {
    const body = {
      message: 'OTP required',
      isOtpRequired: true,
      userId: `u-canary-client-key-${'x'.repeat(5_000)}`,
      phoneNumber: `+1\u001b[31m${'9'.repeat(5_000)}`,
    };
    const error = await errorOf(
      () => json(body, 400),
      (c) => c.auth.login({ email: 'ada@example.com', password: 'a password' }),
    );
    const { userId, phoneNumber } = error as { userId: string; phoneNumber: string };
    expect(userId.length).toBeLessThanOrEqual(200);
    expect(phoneNumber.length).toBeLessThanOrEqual(200);
    expect(userId + phoneNumber).not.toContain('canary');
    expect(phoneNumber).not.toContain('\u001b');
  });

  it('has the signed message and its signature redacted', async () => {
    const sigMessage = signedMessage({ address: EVM_ADDRESS });
    const sigHash = `0x${'b'.repeat(130)}`;
    const error = await errorOf(
      () => json({ message: `cannot parse ${sigMessage} of ${sigHash}` }, 422),
      (c) =>
        c.delegation.submitEvmApproval({
          ...{ address: EVM_ADDRESS, network: 'linea', currency: 'usdc', amount: '1' },
          ...{ txHash: `0x${'a'.repeat(64)}`, sigHash, sigMessage, token: 'del_12345678' },
        }),
    );
    expect(printed(error)).not.toMatch(/wants you to sign|bbbbbbbb|del_1234/);
  });
});

describe('the data of an error', () => {
  it('holds no secret, whether the program prints it or not', async () => {
    const body = { token: 'tok-12345678', imageUrl: 5 };
    const error = await errorOf(
      () => json(body),
      (c) => c.card.createPinToken(),
    );
    const data = { token: '[redacted]', imageUrl: '[redacted]' };
    expect(error).toMatchObject({ name: 'ResponseValidationError', data });
    expect(inspect((error as { data: unknown }).data)).not.toContain('tok-12345678');
    expect(printed(error)).not.toContain('tok-12345678');
  });
});

describe('client.request', () => {
  const secret = 'very-secret-value';

  it.each([
    ['password', { body: { password: secret } }],
    ['refresh_token', { body: { grant: { refresh_token: secret } } }],
    ['code_verifier', { body: { code_verifier: secret } }],
    ['client_secret', { query: { client_secret: secret } }],
    ['token', { params: { token: secret }, path: '/v1/things/{token}' }],
    ['its own names', { body: { seed: secret }, secretInputs: ['seed'] }],
  ])('redacts %s in the input', async (_, given: { path?: string } & object) => {
    const { path = '/v1/things', ...request } = given;
    const error = await errorOf(
      () => json({ message: `got ${secret} and ${encodeURIComponent(secret)}` }, 400),
      (c) => c.request('POST', path, request),
    );
    expect(printed(error)).not.toContain(secret);
  });

  it('redacts known names and paths in the printed result, but not for the program', async () => {
    const body = {
      access_token: secret,
      user: { seed: secret, name: 'Ada' },
      list: [{ pin: secret }],
    };
    const fetch = async () => json(body);
    const client = clientFor(BASE_URL, { fetch });
    const result = await client.request('GET', '/v1/things', { secrets: ['user.seed'] });
    expect(result).toEqual(body);
    expect(JSON.stringify(result)).toContain(secret);
    expect(inspect(result, { depth: 9 })).not.toContain(secret);
    expect(inspect(result, { depth: 9 })).toContain('Ada');
  });

  it('rejects secret names that are not a list', async () => {
    const client = clientFor(BASE_URL, { fetch: async () => json({}) });
    for (const option of ['secrets', 'secretInputs']) {
      const request = { [option]: 'password' } as never;
      expect(await rejection(client.request('GET', '/v1/things', request))).toMatchObject({
        name: 'ConfigurationError',
        option,
      });
    }
  });
});

it('two secrets below the same parents are both redacted', async () => {
  const body = { a: { b: { one: 'secret-one', two: 'secret-two', name: 'Ada' } } };
  const client = clientFor(BASE_URL, { fetch: async () => json(body) });
  const secrets = ['a.b.one', 'a.b.two', 'a.b.one.deeper'];
  const shown = inspect(await client.request('GET', '/v1/things', { secrets }), { depth: 9 });
  expect(shown).not.toMatch(/secret-/);
  expect(shown).toContain('Ada');
});

it('the secrets that a request names are added to those of the endpoint that its path reaches', async () => {
  const body = { token: 'canary-delegation', nonce: 'canary-nonce', faucet: { error: 'canary' } };
  const client = clientFor(BASE_URL, { fetch: async () => json({ ...body, name: 'Ada' }) });
  for (const secrets of [['faucet.error'], ['faucet.error', 'name']]) {
    const result = await client.request('GET', '/v1/delegation/token', { secrets });
    expect(result).toMatchObject(body);
    expect(inspect(result, { depth: 9 })).not.toContain('canary');
    expect(inspect(result, { depth: 9 }).includes('Ada')).toBe(!secrets.includes('name'));
  }
});

it('a frozen result of the caller’s schema is not changed', async () => {
  const frozen = Object.freeze({ token: 'tok-12345678' });
  const schema = {
    '~standard': { version: 1, vendor: 'test', validate: () => ({ value: frozen }) },
  };
  const client = clientFor(BASE_URL, { fetch: async () => json({}) });
  expect(await client.request('GET', '/v1/things', { schema } as never)).toBe(frozen);
});
