import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import {
  CARD_STATUS,
  clientOf,
  json,
  NOWHERE,
  rejection,
  responseTo,
  startProxy,
  startService,
  TX_HASH,
  WITHDRAW,
  withdraw,
} from './service.js';

/**
 * The tests of each version of undici.
 *
 * @param early - a client that was made before undici was imported
 * @param matchesBody - whether the mock of this version can read bodies of Node's fetch
 */
export function testUndici(undici, { early, matchesBody = true }) {
  const { Agent, EnvHttpProxyAgent, MockAgent, ProxyAgent, setGlobalDispatcher } = undici;
  const own = undici.getGlobalDispatcher();
  const clients = { 'made before undici': early, 'made after undici': clientOf(NOWHERE) };
  const opened = [];
  const use = (dispatcher) => {
    opened.push(dispatcher);
    setGlobalDispatcher(dispatcher);
    return dispatcher;
  };

  let service;
  let proxy;
  before(async () => {
    service = await startService();
    proxy = await startProxy();
  });
  afterEach(async () => {
    setGlobalDispatcher(own);
    await Promise.all(opened.splice(0).map((dispatcher) => dispatcher.close()));
  });
  after(() => {
    service.stop();
    proxy.stop();
  });

  it('the import alone changes nothing: node:http sends', async () => {
    await withdraw(clientOf(service.baseUrl));
    // Node sets a dispatcher of its own with the first fetch.
    await (await fetch(service.baseUrl + CARD_STATUS)).text();
    await withdraw(clientOf(service.baseUrl));
    assert.deepEqual(service.takeRequests(), [
      `node-http ${WITHDRAW}`,
      `fetch ${CARD_STATUS}`,
      `node-http ${WITHDRAW}`,
    ]);
  });

  for (const [when, client] of Object.entries(clients)) {
    describe(`MockAgent, with a client ${when}`, () => {
      it('replies to what an interceptor matches, once', async () => {
        const mock = use(new MockAgent());
        mock.disableNetConnect();
        const body = matchesBody ? { body: '{"amount":"1"}' } : {};
        const matched = { path: WITHDRAW, method: 'POST', ...body };
        mock.get(NOWHERE).intercept(matched).reply(200, responseTo(WITHDRAW), { headers: json });
        assert.deepEqual(await withdraw(client), { txHash: TX_HASH });
        mock.assertNoPendingInterceptors();
      });

      it('plays an error: the withdrawal is not repeated, and unknown', async () => {
        const mock = use(new MockAgent());
        const matched = { path: WITHDRAW, method: 'POST' };
        mock.get(NOWHERE).intercept(matched).replyWithError(new Error('boom')).times(2);
        const { code, outcome } = await rejection(withdraw(client));
        assert.deepEqual({ code, outcome }, { code: 'connection_failed', outcome: 'unknown' });
        const { timesInvoked } = mock.pendingInterceptors()[0];
        assert.equal(timesInvoked, 1);
      });
    });
  }

  it('MockAgent refuses what no interceptor matches: nothing reaches the server', async () => {
    use(new MockAgent()).disableNetConnect();
    const error = await rejection(withdraw(clientOf(service.baseUrl)));
    assert.deepEqual([error.code, error.outcome], ['connection_failed', 'unknown']);
    assert.deepEqual(service.takeRequests(), []);
  });

  it('ProxyAgent: a withdrawal goes through the proxy, once', async () => {
    use(new ProxyAgent(proxy.url));
    await withdraw(clientOf(service.baseUrl));
    assert.deepEqual(service.takeRequests(), [`fetch ${WITHDRAW}`]);
    assert.equal(proxy.takeCount(), 1);
  });

  it('EnvHttpProxyAgent: a withdrawal goes through the proxy, once', async () => {
    use(new EnvHttpProxyAgent({ httpProxy: proxy.url, noProxy: '' }));
    await withdraw(clientOf(service.baseUrl));
    assert.deepEqual(service.takeRequests(), [`fetch ${WITHDRAW}`]);
    assert.equal(proxy.takeCount(), 1);
  });

  it('an Agent with interceptors is used', async () => {
    let count = 0;
    const counting = (dispatch) => (options, handler) => {
      count++;
      return dispatch(options, handler);
    };
    use(new Agent().compose(counting));
    await withdraw(clientOf(service.baseUrl));
    assert.deepEqual([service.takeRequests(), count], [[`fetch ${WITHDRAW}`], 1]);
  });

  describe('a plain Agent', () => {
    class CountingAgent extends Agent {
      count = 0;
      dispatch(options, handler) {
        this.count++;
        return super.dispatch(options, handler);
      }
    }

    it("is taken for Node's own: node:http sends", async () => {
      use(new Agent({ connections: 1 }));
      await withdraw(clientOf(service.baseUrl));
      assert.deepEqual(service.takeRequests(), [`node-http ${WITHDRAW}`]);
    });

    it('is used when the option fetch asks for the global fetch', async () => {
      use(new Agent({ connections: 1 }));
      await withdraw(clientOf(service.baseUrl, { fetch: (url, init) => fetch(url, init) }));
      assert.deepEqual(service.takeRequests(), [`fetch ${WITHDRAW}`]);
    });

    it('is noticed as a class of its own name', async () => {
      const agent = use(new CountingAgent());
      await withdraw(clientOf(service.baseUrl));
      assert.deepEqual([service.takeRequests(), agent.count], [[`fetch ${WITHDRAW}`], 1]);
    });

    it("can be given to undici's fetch in the option", async () => {
      const dispatcher = new CountingAgent();
      opened.push(dispatcher);
      const send = (url, init) => undici.fetch(url, { ...init, dispatcher });
      await withdraw(clientOf(service.baseUrl, { fetch: send }));
      assert.deepEqual([service.takeRequests(), dispatcher.count], [[`fetch ${WITHDRAW}`], 1]);
    });
  });

  it('undici.install() replaces the global fetch, which is used', {
    skip: undici.install === undefined,
  }, async () => {
    const globals = Object.getOwnPropertyDescriptors(globalThis);
    undici.install();
    await withdraw(clientOf(service.baseUrl));
    Object.defineProperty(globalThis, 'fetch', globals.fetch);
    await withdraw(clientOf(service.baseUrl));
    assert.deepEqual(service.takeRequests(), [`fetch ${WITHDRAW}`, `node-http ${WITHDRAW}`]);
  });

  it('with its first dispatcher back, node:http sends again', async () => {
    use(new MockAgent());
    setGlobalDispatcher(own);
    await withdraw(clientOf(service.baseUrl));
    assert.deepEqual(service.takeRequests(), [`node-http ${WITHDRAW}`]);
  });
}
