import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import {
  CARD_STATUS,
  clientOf,
  json,
  MOCKED_URL,
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
 * @param early - a client created before undici was imported
 * @param matchesBody - whether the mock of this version can read bodies of Node's fetch
 */
export function testUndici(undici, { early, matchesBody = true }) {
  const { Agent, EnvHttpProxyAgent, MockAgent, ProxyAgent, setGlobalDispatcher } = undici;
  const own = undici.getGlobalDispatcher();
  const clients = { 'made before undici': early, 'made after undici': clientOf(MOCKED_URL) };
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

  it('importing undici changes nothing: the client sends over node:http', async () => {
    await withdraw(clientOf(service.baseUrl));
    // Node sets its own dispatcher with the first fetch.
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
      it('replies once to a request that an interceptor matches', async () => {
        const mock = use(new MockAgent());
        mock.disableNetConnect();
        const body = matchesBody ? { body: '{"amount":"1"}' } : {};
        const matched = { path: WITHDRAW, method: 'POST', ...body };
        mock.get(MOCKED_URL).intercept(matched).reply(200, responseTo(WITHDRAW), { headers: json });
        assert.deepEqual(await withdraw(client), { txHash: TX_HASH });
        mock.assertNoPendingInterceptors();
      });

      it('simulates an error: the withdrawal is not retried, and has the outcome unknown', async () => {
        const mock = use(new MockAgent());
        const matched = { path: WITHDRAW, method: 'POST' };
        mock.get(MOCKED_URL).intercept(matched).replyWithError(new Error('boom')).times(2);
        const { code, outcome } = await rejection(withdraw(client));
        assert.deepEqual({ code, outcome }, { code: 'connection_failed', outcome: 'unknown' });
        const { timesInvoked } = mock.pendingInterceptors()[0];
        assert.equal(timesInvoked, 1);
      });
    });
  }

  it('MockAgent rejects a request that no interceptor matches: nothing reaches the server', async () => {
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

    it("is treated like Node's own: the client sends over node:http", async () => {
      use(new Agent({ connections: 1 }));
      await withdraw(clientOf(service.baseUrl));
      assert.deepEqual(service.takeRequests(), [`node-http ${WITHDRAW}`]);
    });

    it('is used when the option fetch asks for the global fetch', async () => {
      use(new Agent({ connections: 1 }));
      await withdraw(clientOf(service.baseUrl, { fetch: (url, init) => fetch(url, init) }));
      assert.deepEqual(service.takeRequests(), [`fetch ${WITHDRAW}`]);
    });

    it('is detected when its class has another name', async () => {
      const agent = use(new CountingAgent());
      await withdraw(clientOf(service.baseUrl));
      assert.deepEqual([service.takeRequests(), agent.count], [[`fetch ${WITHDRAW}`], 1]);
    });

    it("can be passed to undici's fetch in the option", async () => {
      const dispatcher = new CountingAgent();
      opened.push(dispatcher);
      const send = (url, init) => undici.fetch(url, { ...init, dispatcher });
      await withdraw(clientOf(service.baseUrl, { fetch: send }));
      assert.deepEqual([service.takeRequests(), dispatcher.count], [[`fetch ${WITHDRAW}`], 1]);
    });
  });

  it('undici.install() replaces the global fetch, and the client uses it', {
    skip: undici.install === undefined,
  }, async () => {
    const globals = Object.getOwnPropertyDescriptors(globalThis);
    undici.install();
    await withdraw(clientOf(service.baseUrl));
    Object.defineProperty(globalThis, 'fetch', globals.fetch);
    await withdraw(clientOf(service.baseUrl));
    assert.deepEqual(service.takeRequests(), [`fetch ${WITHDRAW}`, `node-http ${WITHDRAW}`]);
  });

  it('after the first dispatcher is restored, the client sends over node:http again', async () => {
    use(new MockAgent());
    setGlobalDispatcher(own);
    await withdraw(clientOf(service.baseUrl));
    assert.deepEqual(service.takeRequests(), [`node-http ${WITHDRAW}`]);
  });
}
