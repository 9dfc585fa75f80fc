const { createServer } = require('node:http');

const WITHDRAW = '/v1/wallet/credit/withdraw';
const TX_HASH = `0x${'a'.repeat(64)}`;
/** A URL without a server: only a mock can respond. */
const MOCKED_URL = 'https://api.example.com';

/** A minimal response, as a hand-written mock returns it. jsdom has no `Response`. */
const response = () => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  text: async () => JSON.stringify({ txHash: TX_HASH }),
});

const withdraw = (client) => client.wallets.credit.withdraw({ amount: '1' });

/** Starts a real server that records the adapter of each request: only `fetch` sends that header. */
async function startService() {
  const requests = [];
  const server = createServer((request, reply) => {
    requests.push(request.headers['sec-fetch-mode'] === undefined ? 'node-http' : 'fetch');
    reply.writeHead(200, { 'content-type': 'application/json' });
    reply.end(JSON.stringify({ txHash: TX_HASH }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    takeRequests: () => requests.splice(0),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * The tests of each environment of Jest.
 *
 * @param load - loads the package for the first time, or again
 * @param hasFetch - whether the environment has a global `fetch`
 */
exports.testMocks = ({ jest, load, hasFetch }) => {
  const { fetch } = globalThis;
  let service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  afterEach(() => {
    jest.restoreAllMocks();
    if (hasFetch) globalThis.fetch = fetch;
    else Reflect.deleteProperty(globalThis, 'fetch');
  });

  async function makeClient(baseUrl = MOCKED_URL) {
    const { CardPlatformClient } = await load();
    return new CardPlatformClient({ baseUrl, clientKey: 'key', accessToken: 'token' });
  }

  const install = {
    'globalThis.fetch = jest.fn()': () => {
      const mock = jest.fn(async () => response());
      globalThis.fetch = mock;
      return mock;
    },
    ...(hasFetch && {
      "jest.spyOn(globalThis, 'fetch')": () =>
        jest.spyOn(globalThis, 'fetch').mockImplementation(async () => response()),
    }),
  };

  describe.each(Object.entries(install))('%s', (_, installMock) => {
    test('before the import: a withdrawal is sent once, as (url, init)', async () => {
      const mock = installMock();
      expect(await withdraw(await makeClient())).toEqual({ txHash: TX_HASH });
      expect(mock).toHaveBeenCalledTimes(1);
      const [url, init] = mock.mock.calls[0];
      expect(url).toBe(`${MOCKED_URL}${WITHDRAW}`);
      expect(init).toMatchObject({ method: 'POST', body: '{"amount":"1"}' });
      expect(init.headers.authorization).toBe('Bearer token');
    });

    test('after the client is created: a withdrawal is sent once, as (url, init)', async () => {
      const client = await makeClient();
      const mock = installMock();
      expect(await withdraw(client)).toEqual({ txHash: TX_HASH });
      expect(mock).toHaveBeenCalledTimes(1);
    });

    test('that rejects: the withdrawal is not retried, and has the outcome unknown', async () => {
      const client = await makeClient();
      const mock = installMock().mockRejectedValue(new Error('boom'));
      await expect(withdraw(client)).rejects.toMatchObject({ outcome: 'unknown' });
      expect(mock).toHaveBeenCalledTimes(1);
    });
  });

  if (hasFetch) {
    test('a spy without an implementation lets the request through, once', async () => {
      const client = await makeClient(service.baseUrl);
      const spy = jest.spyOn(globalThis, 'fetch');
      await withdraw(client);
      expect(spy).toHaveBeenCalledTimes(1);
      expect(service.takeRequests()).toEqual(['fetch']);
    });
  }

  test('without a mock, and after it is restored, the client sends over node:http', async () => {
    const client = await makeClient(service.baseUrl);
    await withdraw(client);
    globalThis.fetch = jest.fn(async () => response());
    await withdraw(client);
    if (hasFetch) globalThis.fetch = fetch;
    else Reflect.deleteProperty(globalThis, 'fetch');
    await withdraw(client);
    expect(service.takeRequests()).toEqual(['node-http', 'node-http']);
  });
};

/** The tests of nock in Jest. */
exports.testNock = ({ nock, load }) => {
  afterEach(() => nock.cleanAll());
  afterAll(() => nock.restore());

  async function makeClient(options) {
    const { CardPlatformClient } = await load();
    const baseUrl = MOCKED_URL;
    return new CardPlatformClient({ baseUrl, clientKey: 'key', accessToken: 'token', ...options });
  }

  test('nock receives a withdrawal once', async () => {
    const scope = nock(MOCKED_URL).post(WITHDRAW, { amount: '1' }).reply(200, { txHash: TX_HASH });
    expect(await withdraw(await makeClient())).toEqual({ txHash: TX_HASH });
    expect(scope.isDone()).toBe(true);
  });

  test('nock simulates an error: the withdrawal is not retried, and has the outcome unknown', async () => {
    const scope = nock(MOCKED_URL).post(WITHDRAW).times(2).replyWithError('boom');
    await expect(withdraw(await makeClient())).rejects.toMatchObject({ outcome: 'unknown' });
    expect(scope.pendingMocks()).toHaveLength(1);
  });

  test('nock delays the reply: the withdrawal times out, and has the outcome unknown', async () => {
    nock(MOCKED_URL).post(WITHDRAW).delay(500).reply(200, { txHash: TX_HASH });
    const client = await makeClient({ timeout: 50 });
    await expect(withdraw(client)).rejects.toMatchObject({ code: 'timeout', outcome: 'unknown' });
  });
};
