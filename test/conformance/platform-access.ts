import { setupServer } from 'msw/node';
import { startSandbox } from '../../src/sandbox/server.js';
import {
  createMockPlatform,
  type MockPlatform,
  type MockPlatformOptions,
} from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';

/** One way to use a mock platform. */
export type PlatformAccess = {
  platform: MockPlatform;
  /** Sends a request to the platform. */
  send: (request: Request) => Promise<Response>;
  close: () => void | Promise<void>;
};

const STARTS_AT = Date.UTC(2026, 0, 1);

/** Options of the platform. The way to use it sets the base URL. */
type Options = Pick<MockPlatformOptions, 'onUnhandled' | 'observed'>;

async function openInMemoryFetch(options: Options = {}): Promise<PlatformAccess> {
  const platform = createMockPlatform({ ...options, startsAt: STARTS_AT });
  return { platform, send: (request) => platform.fetch(request), close: () => {} };
}

async function openMswHandlers(options: Options = {}): Promise<PlatformAccess> {
  const platform = createMockPlatform({ ...options, startsAt: STARTS_AT });
  const server = setupServer(...mswHandlers(platform));
  server.listen({ onUnhandledRequest: 'error' });
  return { platform, send: (request) => fetch(request), close: () => server.close() };
}

async function openSandbox(options: Options = {}): Promise<PlatformAccess> {
  const { platform, stop } = await startSandbox(0, 'empty', () => STARTS_AT, options);
  return { platform, send: (request) => fetch(request), close: stop };
}

/** The three ways to use a mock platform, by name. */
export const ACCESS_WAYS: readonly [string, (options?: Options) => Promise<PlatformAccess>][] = [
  ['the in-memory fetch', openInMemoryFetch],
  ['MSW handlers', openMswHandlers],
  ['the sandbox server', openSandbox],
];
