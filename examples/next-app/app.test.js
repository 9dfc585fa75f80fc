import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';

const mock = createMockPlatform({ startsAt: Date.now() });
const ada = mock.users.add({ card: 'ACTIVE' });
const received = [];

/** The mock platform as a server: Next runs in a process of its own. */
const service = createServer(async (request, response) => {
  received.push(request.headers);
  const body = [];
  for await (const chunk of request) body.push(chunk);
  const reply = await mock.fetch(`${mock.baseUrl}${request.url}`, {
    method: request.method,
    headers: request.headers,
    ...(body.length > 0 && { body: Buffer.concat(body).toString() }),
  });
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  response.end(await reply.text());
});

let app;
let origin;
let cookie = '';

before(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  app = spawn('node', ['node_modules/next/dist/bin/next', 'start', '-p', '0', '-H', '127.0.0.1'], {
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      INSECURE_COOKIES: '1',
      CARD_PLATFORM_URL: `http://127.0.0.1:${service.address().port}`,
      CARD_PLATFORM_CLIENT_KEY: mock.credentials.clientKey,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  origin = await new Promise((resolve) => {
    let text = '';
    app.stdout.on('data', (chunk) => {
      text += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (found && /Ready/.test(text)) resolve(found);
    });
  });
});

after(() => {
  app.kill();
  service.close();
});

/** The client of the page, run in Node with the cookie and the headers of a browser. */
function page(headers = { origin, 'sec-fetch-site': 'same-origin' }, path = '/api/card-platform') {
  return new CardPlatformClient({
    baseUrl: `${origin}${path}`,
    throughProxy: true,
    retry: false,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers, cookie } }),
  });
}

test('refuses every call before the login', async () => {
  await rejects(page().card.status(), { name: 'AuthenticationError', outcome: 'not_sent' });
  equal(received.length, 0);
});

test('logs in, and keeps the access token on the server', async () => {
  const response = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ email: ada.email, password: ada.password }),
  });
  deepEqual(await response.json(), { next: 'done' });
  [cookie] = response.headers.get('set-cookie').split(';');
});

test('reports a login to the client of the page, and why one was refused', async () => {
  const login = (password) =>
    page(undefined, '/api').request('POST', '/session', { body: { email: ada.email, password } });
  deepEqual(await login(ada.password), { next: 'done' });
  await rejects(login('guess'), { code: 'invalid_credentials', outcome: 'rejected' });
});

test('serves reads and writes of the user', async () => {
  const { status } = await page().card.status();
  equal(status, 'ACTIVE');
  await page().card.freeze();
  equal(ada.card.status, 'FROZEN');
  await rejects(page().card.freeze(), { code: 'card_already_frozen', outcome: 'rejected' });
  ok(received.every((headers) => headers.cookie === undefined));
});

test('refuses other sites, other operations and other methods', async () => {
  const before = received.length;
  const foreign = page({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
  await rejects(foreign.card.unfreeze(), { status: 403, outcome: 'not_sent' });
  const paths = ['/v1/webhooks', '/v1/card/status/..%2f..%2fwebhooks', '//v1/webhooks'];
  for (const path of paths) {
    const response = await fetch(`${origin}/api/card-platform${path}`, { headers: { cookie } });
    ok(response.status >= 400, path);
  }
  const head = await fetch(`${origin}/api/card-platform/v1/card/status`, {
    method: 'HEAD',
    headers: { cookie },
  });
  equal(head.status, 405);
  equal(received.length, before);
});

test('puts neither keys nor the server entry into the files that a browser loads', () => {
  const files = readdirSync('.next/static', { recursive: true }).filter((name) =>
    name.endsWith('.js'),
  );
  const code = files.map((name) => readFileSync(`.next/static/${name}`, 'utf8')).join('\n');
  ok(code.includes('throughProxy'));
  deepEqual(
    [mock.credentials.clientKey, 'CARD_PLATFORM_CLIENT_KEY', 'session_missing'].filter((text) =>
      code.includes(text),
    ),
    [],
  );
});
