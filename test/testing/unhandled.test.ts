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

it.each([500, 'eror', '404', null, true])('refuses onUnhandled: %s', (onUnhandled) => {
  expect(() => createMockPlatform({ onUnhandled: onUnhandled as 404 })).toThrow(/onUnhandled must/);
});
