import { setupServer } from 'msw/node';
import { startSandbox } from '../../src/sandbox/server.js';
import { createMockPlatform, type MockPlatform } from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';

/** One way to reach a platform. */
export type Door = {
  platform: MockPlatform;
  /** Sends a request through the door. */
  send: (request: Request) => Promise<Response>;
  close: () => void | Promise<void>;
};

const STARTS_AT = Date.UTC(2026, 0, 1);

async function platformFetch(): Promise<Door> {
  const platform = createMockPlatform({ startsAt: STARTS_AT });
  return { platform, send: (request) => platform.fetch(request), close: () => {} };
}

async function serviceWorker(): Promise<Door> {
  const platform = createMockPlatform({ startsAt: STARTS_AT });
  const server = setupServer(...mswHandlers(platform));
  server.listen({ onUnhandledRequest: 'error' });
  return { platform, send: (request) => fetch(request), close: () => server.close() };
}

async function sandbox(): Promise<Door> {
  const { platform, stop } = await startSandbox(0, 'empty', () => STARTS_AT);
  return { platform, send: (request) => fetch(request), close: stop };
}

/** The three doors to the same platform, by name. */
export const DOORS: readonly [string, () => Promise<Door>][] = [
  ['platform.fetch', platformFetch],
  ['msw', serviceWorker],
  ['sandbox', sandbox],
];
