import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CardPlatformClient } from 'card-platform-sdk';
import { differencesOf } from './checked.js';
import { document, operations } from './document.js';
import { openMock } from './prism.js';
import { send } from './requests.js';

const KEYS = { clientKey: 'key', clientId: 'id', secretKey: 'secret', accessToken: 'token' };
let mock;
before(async () => {
  mock = await openMock(document);
});
after(() => mock.close());

const platform = {
  get baseUrl() {
    return mock.url;
  },
  fetch: (url, init) => fetch(url, init),
};
const HEADERS = {
  clientKey: ['x-client-key', 'key'],
  clientId: ['X-Client-ID', 'id'],
  secretKey: ['x-secret-key', 'secret'],
  accessToken: ['authorization', 'Bearer token'],
};

for (const operation of operations) {
  test(`a server made from the file responds to the example of ${operation.id}`, async () => {
    const headers = Object.fromEntries(
      Object.keys(operation.security).map((name) => HEADERS[name]),
    );
    const values = Object.fromEntries(
      operation.parameters.map(({ name, example }) => [name, example]),
    );
    const body = operation.body && JSON.stringify(operation.body.example);
    const response = await send(platform, operation, { headers, values, body });
    assert.ok(response.status < 300, `${response.status} ${response.text}`);
    assert.deepEqual(differencesOf(operation, response), []);
    const [first] = Object.values(operation.responses);
    assert.deepEqual(JSON.parse(response.text), first.content['application/json'].example);
  });
}

test('the client reads the responses of a server that was made from the file', async () => {
  const driftReports = [];
  const client = new CardPlatformClient({
    ...KEYS,
    baseUrl: mock.url,
    onDrift: (report) => void driftReports.push(report),
  });
  const session = await client.auth.login({ email: 'ada@example.com', password: 'pass word' });
  const userClient = client.withAccessToken(session.accessToken);
  assert.equal((await userClient.card.status()).status, 'ACTIVE');
  assert.equal((await userClient.wallets.internal.list())[0].currency, 'usdc');
  assert.equal((await userClient.user.get()).email, 'ada@example.com');
  assert.equal((await userClient.orders.listProducts()).length > 0, true);
  assert.deepEqual(driftReports, []);
});
