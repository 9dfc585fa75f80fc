import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chooseAdapter } from '../../src/transport/adapters/choose-adapter.js';

// Imitates the global dispatchers of undici with classes of the same names.
// test/consumers/node-mocks uses the real ones.

const KEYS = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

class Agent {
  dispatch() {}
}
class Dispatcher1Wrapper extends Agent {}
class MockAgent extends Agent {}

/** undici 7 composes an agent with interceptors in this way. */
const composed = new Proxy(new Agent(), {
  get: (target, key) => (key === 'dispatch' ? () => {} : Reflect.get(target, key)),
});

describe('the adapter that a client on Node chooses for the global dispatcher', () => {
  const globals = globalThis as unknown as Record<symbol, unknown>;
  const before = new Map<symbol, unknown>();
  // Node sets its dispatcher when fetch is first used.
  beforeAll(async () => {
    await globalThis.fetch('data:,x');
    for (const key of KEYS) before.set(key, globals[key]);
  });
  afterEach(() => {
    for (const key of KEYS) globals[key] = before.get(key);
  });

  it.each([
    ["Node's own", {}, false],
    ['none', { 1: undefined, 2: undefined }, false],
    ['undici 6: a plain agent', { 1: new Agent() }, false],
    ['undici 6: a mock', { 1: new MockAgent() }, true],
    ['undici 7: an agent with interceptors', { 1: composed, 2: composed }, true],
    ['undici 8, and Node 26: its own', { 1: new Dispatcher1Wrapper(), 2: new Agent() }, false],
    ['undici 8: a mock', { 1: new Dispatcher1Wrapper(), 2: new MockAgent() }, true],
    ['undici 6: a mock, beside undici 8', { 1: new MockAgent(), 2: new Agent() }, true],
    ['an object without a class', { 1: Object.create(null) }, true],
  ] as const)('is correct: %s', async (_, dispatchers: {
    1?: unknown;
    2?: unknown;
  }, isReplaced) => {
    for (const [version, dispatcher] of Object.entries(dispatchers)) {
      globals[Symbol.for(`undici.globalDispatcher.${version}`)] = dispatcher;
    }
    // Only the adapter over a replaced `fetch` is foreign.
    expect(chooseAdapter({})().isForeign).toBe(isReplaced);
  });
});
