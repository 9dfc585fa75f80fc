import { afterEach, expect, it, vi } from 'vitest';
import { clientFor, json, scriptedFetch } from '../support/clients.js';

afterEach(() => vi.unstubAllGlobals());

it('sends one request after a server has put a Response of its own in the place of the global one', async () => {
  const stray = vi.fn(async () => json({}));
  const { fetch, requests } = scriptedFetch(() => json({ success: true }));
  const client = clientFor('https://api.example.com', { fetch });
  await client.card.freeze();
  vi.stubGlobal('Response', class Replaced extends Response {});
  vi.stubGlobal('fetch', stray);
  expect(await client.card.freeze()).toEqual({ success: true });
  expect(requests).toHaveLength(2);
  expect(stray).not.toHaveBeenCalled();
});

it('gives the answer that came, whatever ky makes of it', async () => {
  const { fetch, requests } = scriptedFetch(() => json({ success: true }));
  const client = clientFor('https://api.example.com', { fetch, retry: false });
  // What our hook gives to ky is never an answer to it, and on its own way it sends nothing.
  vi.stubGlobal(
    'Response',
    class Odd extends Response {
      static override [Symbol.hasInstance]() {
        return false;
      }
    },
  );
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('nothing is sent')));
  expect(await client.card.freeze()).toEqual({ success: true });
  expect(requests).toHaveLength(1);
});
