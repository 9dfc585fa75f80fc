import { startSandbox } from '../src/sandbox/server.js';
import { createMockPlatform, type MockPlatform } from '../src/testing/index.js';
import type { Section } from './report.js';

const USERS = 10_000;
const AT_ONCE = 16;

function requestFor(platform: MockPlatform): () => Request {
  const user = platform.users.add({ card: 'ACTIVE' });
  const headers = {
    'x-client-key': platform.credentials.clientKey,
    authorization: `Bearer ${platform.accessTokenFor(user)}`,
  };
  return () => new Request(`${platform.baseUrl}/v1/card/status`, { headers });
}

/** Measures requests per second, with a fixed number of them in progress at a time. */
async function rate(send: () => Promise<Response>, calls: number): Promise<string> {
  const lane = async (share: number) => {
    for (let i = 0; i < share; i++) await (await send()).text();
  };
  await lane(calls / 10);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => lane(calls / AT_ONCE)));
  const seconds = (performance.now() - startedAt) / 1000;
  return `${Math.round(calls / seconds).toLocaleString('en')} per second`;
}

function memoryOfUsers(): string {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const platform = createMockPlatform();
  for (let i = 0; i < USERS; i++) platform.users.add({ card: 'ACTIVE' });
  globalThis.gc?.();
  const grown = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  return `${grown.toFixed(1)} MiB for ${platform.state.users.length.toLocaleString('en')} users`;
}

/** Measures the memory of the mock platform and its requests per second. */
export async function measureMockPlatform(isQuick: boolean): Promise<Section> {
  const calls = isQuick ? 3_200 : 16_000;
  const platform = createMockPlatform();
  const inMemory = requestFor(platform);
  const sandbox = await startSandbox(0, 'empty');
  const overHttp = requestFor(sandbox.platform);
  const rows = [
    ['`platform.fetch`', await rate(() => platform.fetch(inMemory()), calls)],
    ['sandbox, client in the same process', await rate(() => fetch(overHttp()), calls)],
    ['memory', memoryOfUsers()],
  ];
  await sandbox.stop();
  return { title: 'The in-memory platform', heads: ['what', 'measured'], rows };
}
