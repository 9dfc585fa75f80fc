import { describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

describe('an invalid base URL', () => {
  const ABSOLUTE = 'must be an absolute URL, for example https://api.example.com';
  const HTTPS = 'must be https (http only on a loopback host)';
  const NO_QUERY = 'must not contain a query or fragment';
  const NO_CREDENTIALS = 'must not contain a user name or password';
  const PLAIN_PATH =
    'must have a path of plain ASCII, percent-encoded where needed, without . and .. in it';

  it.each([
    ['', ABSOLUTE],
    ['api.example.com', ABSOLUTE],
    ['https://api.example.com /', ABSOLUTE],
    ['https:\\\\api.example.com', ABSOLUTE],
    [42, ABSOLUTE],
    ['http://api.example.com', HTTPS],
    ['ftp://localhost', HTTPS],
    ['https://ada@api.example.com', NO_CREDENTIALS],
    ['https://:secret@api.example.com', NO_CREDENTIALS],
    ['https://api.example.com?a=1', NO_QUERY],
    ['https://api.example.com#a', NO_QUERY],
    ['https://api.example.com/?', NO_QUERY],
    ['https://api.example.com/#', NO_QUERY],
    ['https://api.example.com/cards/../admin', PLAIN_PATH],
    ['https://api.example.com/.', PLAIN_PATH],
    ['https://api.example.com/%2E%2e/admin', PLAIN_PATH],
    ['https://api.example.com/pläne', PLAIN_PATH],
    ['https://api.example.com/50%', PLAIN_PATH],
    ['https://api.example.com/<script>', PLAIN_PATH],
  ])('is rejected with its rule: %s', (baseUrl, rule) => {
    const make = () => new CardPlatformClient({ baseUrl: baseUrl as string });
    expect(make).toThrow(
      expect.objectContaining({ option: 'baseUrl', message: `baseUrl ${rule}.` }),
    );
  });
});

describe('an invalid option of a call', () => {
  it.each([
    [{ signal: {} }, 'signal must be an AbortSignal.'],
    [{ signal: null }, 'signal must be an AbortSignal.'],
    [{ headers: 'x-a: b' }, 'headers must be a plain object.'],
    [{ headers: null }, 'headers must be a plain object.'],
    [{ headers: new Headers() }, 'headers must be a plain object.'],
    [{ schema: {} }, 'schema must be a Standard Schema.'],
    [{ schema: null }, 'schema must be a Standard Schema.'],
  ])('is rejected with its rule: %j', async (options, expectedMessage) => {
    const { fetch, requests } = scriptedFetch(json({ success: true }));
    const error = await rejection(
      clientFor('https://api.example.com', { fetch }).card.freeze(options as never),
    );
    expect(error).toMatchObject({ name: 'ConfigurationError', option: Object.keys(options)[0] });
    expect((error as Error).message).toContain(expectedMessage);
    expect(requests).toHaveLength(0);
  });
});

describe('client.request', () => {
  const TEMPLATE = 'path must be a path template such as /v1/things/{id}, without query or host.';
  const AUTH = 'auth must be an array of clientKey, clientId, secretKey, accessToken.';

  it.each([
    ['GET', 'v1/things', {}, TEMPLATE],
    ['GET', '', {}, TEMPLATE],
    ['GET', undefined, {}, TEMPLATE],
    ['GET', '/v1/things', { auth: ['password'] }, AUTH],
    ['GET', '/v1/things', { auth: 'clientKey' }, AUTH],
    ['HEAD', '/v1/things', {}, 'method must be one of GET, POST, PUT, PATCH, DELETE.'],
    ['GET', '/v1/things', { routing: 'query' }, 'routing must be one of header, none.'],
    [
      ...(['GET', '/v1/things', { retryClass: 'always' }] as const),
      'retryClass must be one of safe, idempotent, issues-token, never.',
    ],
  ] as const)('rejects %s %s with the options %o', async (method, path, options, message) => {
    const { fetch, requests } = scriptedFetch(json({}));
    const client = clientFor('https://api.example.com', { fetch });
    const call = async () => client.request(method as 'GET', path as string, options as object);
    expect(await rejection(call())).toMatchObject({ name: 'ConfigurationError', message });
    expect(requests).toEqual([]);
  });

  it('sends no body without one, and an empty response means done only if nothing says money', async () => {
    const { fetch, requests } = scriptedFetch(new Response(null, { status: 204 }));
    const client = clientFor('https://api.example.com', { fetch });
    for (const options of [{ retryClass: 'idempotent' }, { mayBeEmpty: true }] as const) {
      expect(await client.request('POST', '/v1/things', options)).toBeUndefined();
    }
    // The path has a method, whose declaration says that no money moves.
    expect(await client.request('POST', '/v1/card/unfreeze')).toBeUndefined();
    expect(requests[0]?.init.body).toBeUndefined();
    for (const path of ['/v1/things', '/v1/wallet/internal/withdraw']) {
      expect(await rejection(client.request('POST', path))).toMatchObject({
        outcome: 'unknown',
        probableOutcome: 'executed',
      });
    }
  });
});

describe('an invalid header of the caller', () => {
  it.each([
    ['x a', 'v', 'a header has a name that HTTP does not allow.'],
    ['authorization', 'v', 'authorization cannot be set by a caller.'],
    ['X-US-Env', 'true', 'X-US-Env cannot be set by a caller.'],
    ['x-a', 'a\nb', 'x-a must be a string of at most 4096 printable ASCII characters.'],
    ['x-a', 42, 'x-a must be a string of at most 4096 printable ASCII characters.'],
  ])('is rejected with its rule: %s', async (name, value, rule) => {
    const { fetch, requests } = scriptedFetch(json({}));
    const client = clientFor('https://api.example.com', { fetch });
    const call = async () => client.card.status({ headers: { [name]: value as string } });
    expect(await rejection(call())).toMatchObject({
      option: 'headers',
      message: expect.stringContaining(`headers: ${rule}`),
    });
    expect(requests).toEqual([]);
  });
});
