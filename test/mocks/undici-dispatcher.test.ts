import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chooseAdapter } from '../../src/transport/adapters/choose-adapter.js';
import { openAdapter } from '../../src/transport/adapters/open-adapter.js';

// How undici's global dispatchers look, played with classes of the same names. The real ones:
// test/consumers/node-mocks.

const KEYS = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

class Agent {
  dispatch() {}
}
class Dispatcher1Wrapper extends Agent {}
class MockAgent extends Agent {}

/** As undici 7 composes an agent with interceptors. */
const composed = new Proxy(new Agent(), {
  get: (target, key) => (key === 'dispatch' ? () => {} : Reflect.get(target, key)),
});

describe('on Node, with these global dispatchers of undici', () => {
  const globals = globalThis as unknown as Record<symbol, unknown>;
  const before = new Map<symbol, unknown>();
  // Node sets its dispatcher with the first use of fetch.
  beforeAll(async () => {
    await globalThis.fetch('data:,x');
    for (const key of KEYS) before.set(key, globals[key]);
  });
  afterEach(() => {
    for (const key of KEYS) globals[key] = before.get(key);
  });

  it.each([
    ['of Node itself', {}, false],
    ['none', { 1: undefined, 2: undefined }, false],
    ['undici 6: a plain agent', { 1: new Agent() }, false],
    ['undici 6: a mock', { 1: new MockAgent() }, true],
    ['undici 7: an agent with interceptors', { 1: composed, 2: composed }, true],
    ['undici 8, and Node 26: its own', { 1: new Dispatcher1Wrapper(), 2: new Agent() }, false],
    ['undici 8: a mock', { 1: new Dispatcher1Wrapper(), 2: new MockAgent() }, true],
    ['undici 6: a mock, beside undici 8', { 1: new MockAgent(), 2: new Agent() }, true],
    ['an object without a class', { 1: Object.create(null) }, true],
  ] as const)('%s', async (_, dispatchers: { 1?: unknown; 2?: unknown }, isReplaced) => {
    for (const [version, dispatcher] of Object.entries(dispatchers)) {
      globals[Symbol.for(`undici.globalDispatcher.${version}`)] = dispatcher;
    }
    // Only the adapter over a replaced `fetch` is written by others.
    expect((await openAdapter(chooseAdapter({}))).isForeign).toBe(isReplaced);
  });
});
