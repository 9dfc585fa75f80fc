import { afterEach, describe, expect, it, vi } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { ACCESS_WAYS, type PlatformAccess } from '../conformance/platform-access.js';

const HINT = /no endpoint for POST .*\/v1\/card\/freezer\. The nearest is POST \/v1\/card\/freeze /;

describe.each(ACCESS_WAYS)('a request to an unknown endpoint through %s', (_, open) => {
  let access: PlatformAccess | undefined;
  afterEach(async () => {
    vi.restoreAllMocks();
    await access?.close();
  });

  async function start(onUnhandled?: 'error' | 404 | 501) {
    // msw logs an error for an unknown endpoint.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const opened = await open({ onUnhandled });
    access = opened;
    const { platform } = opened;
    const client = new CardPlatformClient({
      baseUrl: platform.baseUrl,
      fetch: (url, init) => opened.send(new Request(url, init)),
      ...platform.credentials,
      accessToken: platform.accessTokenFor(platform.users.add()),
    });
    const url = `${platform.baseUrl}/v1/card/freezer`;
    const send = () => opened.send(new Request(url, { method: 'POST', body: 'a secret' }));
    return { platform, client, send };
  }

  it.each([
    404, 501,
  ] as const)('gets status %d and the hint when that is chosen', async (status) => {
    const { platform, send } = await start(status);
    const response = await send();
    expect(response.status).toBe(status);
    const { message } = (await response.json()) as { message: string };
    expect(message).toMatch(HINT);
    expect(message).not.toContain('secret');
    expect(platform.requests.last).toMatchObject({ operation: undefined, status });
  });

  it.each([
    undefined,
    'error',
    404,
    501,
  ] as const)('shows the hint in the error of the client (%s)', async (onUnhandled) => {
    const { client } = await start(onUnhandled);
    const { error } = await client.request('POST', '/v1/card/freezer').safe();
    expect(String(error)).toMatch(HINT);
  });

  it('fails by default', async () => {
    const { platform, send } = await start();
    const result = await send().then(async (response) => {
      expect(response.status).toBeGreaterThanOrEqual(500);
      return response.text();
    }, String);
    expect(result).toMatch(HINT);
    expect(platform.requests.last).toMatchObject({ operation: undefined, status: undefined });
  });

  it('names the nearest route that a test serves', async () => {
    const { platform, client } = await start(404);
    platform.serve('POST', '/v1/card/freezers', () => ({}));
    const { error } = await client.request('POST', '/v1/card/freezer').safe();
    expect(String(error)).toContain('The nearest is POST /v1/card/freezers');
  });
});

describe('a request that is not below the base URL', () => {
  const BASE_URL = 'https://api.example.com/test';

  function start() {
    const mock = createMockPlatform({ baseUrl: BASE_URL, onUnhandled: 404 });
    mock.serve('GET', '/v1/limits', () => ({}));
    const at = (baseUrl: string) =>
      new CardPlatformClient({
        baseUrl,
        fetch: mock.fetch,
        ...mock.credentials,
        accessToken: mock.accessTokenFor(mock.users.add({ card: 'ACTIVE' })),
      });
    return { mock, at };
  }

  it.each([
    'https://api.example.com/prod',
    'https://api.example.com/tes',
    'https://api.example.com/tests',
    'https://api.example.com',
    'https://other.example.com/test',
  ])('is to an unknown endpoint (%s)', async (wrong) => {
    const { mock, at } = start();
    const { error } = await at(wrong).card.status().safe();
    expect(String(error)).toContain(
      `no endpoint for GET ${wrong}/v1/card/status. The nearest is GET /v1/card/status (card.status), below ${BASE_URL}`,
    );
    expect((await at(wrong).request('GET', '/v1/limits').safe()).error).toBeDefined();
    expect((await mock.fetch(`${wrong}/set-pin`)).status).toBe(404);
    expect(mock.requests[0]).toMatchObject({ operation: undefined });
  });

  it.each(['', '/'])('is responded to when it is below it (with %j at the end)', async (end) => {
    const { mock, at } = start();
    const client = at(`${BASE_URL}${end}`);
    expect((await client.card.status()).status).toBe('ACTIVE');
    await client.request('GET', '/v1/limits');
    expect((await mock.fetch(`${BASE_URL}/set-pin`)).status).toBe(410);
    expect(mock.requests.map(({ path }) => path)).toEqual(['/v1/card/status', '/v1/limits']);
  });
});

it.each([500, 'eror', '404', null, true])('refuses onUnhandled: %s', (onUnhandled) => {
  expect(() => createMockPlatform({ onUnhandled: onUnhandled as 404 })).toThrow(/onUnhandled must/);
});
