import { setupServer } from 'msw/node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { createMockPlatform, type NewUser } from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';

const BASE_URL = 'https://api.card-platform.test/partner';

describe('the MSW handlers of a mock platform', () => {
  let server: { close(): void } | undefined;
  afterEach(() => {
    server?.close();
    vi.restoreAllMocks();
  });

  /** A client without a reference to the mock: it sends with the global `fetch`. */
  function start(user: NewUser = {}) {
    const platform = createMockPlatform({ baseUrl: BASE_URL });
    const started = setupServer(...mswHandlers(platform));
    started.listen({ onUnhandledRequest: 'error' });
    server = started;
    const owner = platform.users.add(user);
    const client = new CardPlatformClient({
      baseUrl: BASE_URL,
      ...platform.credentials,
      accessToken: platform.accessTokenFor(owner),
    });
    return { platform, owner, client };
  }

  it('respond to requests to the base URL of the platform', async () => {
    const { platform, owner, client } = start({ card: 'ACTIVE' });
    await client.card.freeze();
    expect(platform.users.get(owner.id).card?.status).toBe('FROZEN');
    await expect(client.card.freeze()).rejects.toMatchObject({ code: 'card_already_frozen' });
    expect(platform.requests.map(({ status }) => status)).toEqual([200, 400]);
  });

  it('turn a dropped connection into a network error', async () => {
    const { platform, client } = start({ card: 'ACTIVE' });
    platform.drop('card.unfreeze', 'before-processing');
    await expect(client.card.unfreeze()).rejects.toMatchObject({ code: 'connection_failed' });
  });

  it('respond 500 to an unknown endpoint and name the nearest one', async () => {
    start();
    // msw logs the error of a handler.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const response = await fetch(`${BASE_URL}/v1/card/freezer`, { method: 'POST', body: 'secret' });
    expect(response.status).toBe(500);
    const { message } = (await response.json()) as { message: string };
    expect(message).toContain('The nearest is POST /v1/card/freeze');
    expect(message).not.toContain('secret');
  });
});
