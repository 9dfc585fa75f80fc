import { setupServer } from 'msw/node';
import { CardPlatformClient, type ClientOptions } from '../../src/index.js';
import { startSandbox } from '../../src/sandbox/server.js';
import {
  createMockPlatform,
  type MockPlatform,
  type MockPlatformOptions,
  type NewUser,
} from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';

/** A platform, its first user, and clients that reach it. */
export type Reached = {
  mock: MockPlatform;
  ada: ReturnType<MockPlatform['users']['add']>;
  client: CardPlatformClient;
  /** Sends JSON without the client, with the credentials of the user. */
  send: (method: string, path: string, body?: unknown) => Promise<Response>;
};

type Options = Omit<MockPlatformOptions, 'baseUrl' | 'startsAt'>;
type Test = (reached: Reached) => Promise<void>;

function reach(
  mock: MockPlatform,
  user: NewUser,
  options: Partial<ClientOptions>,
  fetchFunction?: typeof mock.fetch,
): Reached {
  const ada = mock.users.add({ email: 'ada@example.com', ...user });
  const accessToken = mock.accessTokenFor(ada);
  const { baseUrl, credentials } = mock;
  const { clientKey } = credentials;
  const client = new CardPlatformClient({
    ...{ baseUrl, ...credentials, accessToken, retry: false as const, ...options },
    ...(fetchFunction && { fetch: fetchFunction }),
  });
  const headers = {
    authorization: `Bearer ${accessToken}`,
    'x-client-key': clientKey,
    'content-type': 'application/json',
  };
  const send = (method: string, path: string, body?: unknown) =>
    (fetchFunction ?? fetch)(`${baseUrl}${path}`, {
      ...{ method, headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { mock, ada, client, send };
}

/** The three ways to reach the platform: in the process, through MSW, and as a local server. */
export const PLATFORMS = ['in the process', 'through MSW', 'in the sandbox'] as const;

/** Runs a test against a platform that is reached in one of the ways. */
export async function onPlatform(
  way: (typeof PLATFORMS)[number],
  setting: { user?: NewUser; platform?: Options; client?: Partial<ClientOptions> },
  test: Test,
): Promise<void> {
  const { user = {}, platform = {}, client = {} } = setting;
  if (way === 'in the sandbox') {
    const sandbox = await startSandbox(0, 'empty', () => Date.UTC(2026, 0, 1), platform);
    try {
      return await test(reach(sandbox.platform, user, client));
    } finally {
      await sandbox.stop();
    }
  }
  const mock = createMockPlatform(platform);
  if (way === 'in the process') return test(reach(mock, user, client, mock.fetch));
  const server = setupServer(...mswHandlers(mock));
  server.listen({ onUnhandledRequest: 'error' });
  try {
    await test(reach(mock, user, client));
  } finally {
    server.close();
  }
}
