import { afterEach, describe, expect, it, vi } from 'vitest';
import { ADAPTERS, clientOver } from '../support/adapters.js';
import { CREDENTIALS, clientFor, json, scriptedFetch } from '../support/clients.js';
import { RecordingServer } from '../support/server.js';

afterEach(() => vi.unstubAllGlobals());

describe('a server that replaces the global Response', () => {
  it.each([
    ['by a subclass', () => class Replaced extends Response {}],
    [
      'by a class that recognises no instance',
      () =>
        class Odd extends Response {
          static override [Symbol.hasInstance]() {
            return false;
          }
        },
    ],
  ])('%s causes no second request through a caller’s fetch', async (_, make) => {
    const stray = vi.fn(async () => json({}));
    const { fetch, requests } = scriptedFetch(() => json({ success: true }));
    const client = clientFor('https://api.example.com', { fetch });
    await client.card.unfreeze();
    vi.stubGlobal('Response', make());
    vi.stubGlobal('fetch', stray);
    expect(await client.card.unfreeze()).toEqual({ success: true });
    expect(requests).toHaveLength(2);
    expect(stray).not.toHaveBeenCalled();
  });

  it.each(ADAPTERS)('causes no second request over %s', async (adapter) => {
    const server = new RecordingServer();
    await server.start();
    try {
      server.respond = () => ({ body: { success: true } });
      const client = clientOver(adapter, { baseUrl: server.baseUrl, ...CREDENTIALS });
      await client.card.unfreeze();
      vi.stubGlobal('Response', class Replaced extends Response {});
      expect(await client.card.unfreeze()).toEqual({ success: true });
      expect(server.requests).toHaveLength(2);
    } finally {
      await server.stop();
    }
  });
});
