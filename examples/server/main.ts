import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { createApp } from './app.js';
import { RecordingBrowser } from './browser.js';

// The server in `app.ts` keeps the keys and returns to its front end only what it may see. This
// file acts as the browser of that server, on this machine. Run it with
// `npx tsx examples/server/main.ts`.
const mock = createMockPlatform({ startsAt: Date.now() });
const ada = mock.users.add({ email: 'ada@example.com', otpEnabled: true, card: 'ACTIVE' });
const options = { baseUrl: mock.baseUrl, fetch: mock.fetch, ...mock.credentials, retry: false };

const adminToken = mock.accessTokenFor(mock.users.add());
const admin = new CardPlatformClient({ ...options, accessToken: adminToken });
const { data: webhook } = await admin.webhooks.create({
  name: 'card events',
  url: 'https://shop.example/hooks',
  eventTypes: ['card.*'],
  isActive: true,
});
const keys = { accepted: [webhook?.apiKey ?? ''], isChanging: false };

const events: (string | undefined)[] = [];
const app = createApp({
  platform: options,
  tenantId: 'mock-tenant',
  webhookKeys: () => keys,
  onEvent: ({ type }) => events.push(type),
});
console.error = () => {}; // Hides the server's log: the failures below are planned.
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
await new Promise((resolve) => server.once('listening', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const browser = new RecordingBrowser(origin);

type HttpResult = { status: number; body: unknown };

/** Prints a response and checks that it is as expected. */
function report(what: string, { status, body }: HttpResult, expected: HttpResult): void {
  console.log(`${what}: ${status} ${JSON.stringify(body) ?? ''}`);
  deepEqual({ status, body }, expected);
}

report('Look at the card, not logged in', await browser.get('/api/card'), {
  status: 401,
  body: { error: 'not_logged_in', outcome: 'not_sent' },
});
report(
  'Agree to the terms',
  await browser.post('/api/consents', { onboardingId: 'o-1', agreed: ['termsAndPrivacy'] }),
  { status: 201, body: { recorded: true } },
);

const login = { email: ada.email, password: ada.password };
const codeRequest = await browser.post('/api/login', login);
const { phoneNumber } = Object(codeRequest.body) as { phoneNumber?: string };
match(phoneNumber ?? '', /\*/);
report('Log in', codeRequest, { status: 202, body: { otpRequired: true, phoneNumber } });
report(
  'Log in with a wrong code',
  await browser.post('/api/login', { ...login, otpCode: '000000' }),
  {
    status: 400,
    body: {
      error: 'invalid_otp',
      outcome: 'rejected',
      message: 'This was refused. Nothing was done.',
    },
  },
);
const loggedIn = await browser.post('/api/login', { ...login, otpCode: mock.otpFor(ada) });
report('Log in with the code', loggedIn, { status: 200, body: { loggedIn: true } });
match(loggedIn.headers.get('set-cookie') ?? '', /^__Host-.*HttpOnly; Secure; SameSite=Strict/);
equal(mock.state.consentSets[0]?.userId, ada.id);

const { panLast4 = '' } = ada.card ?? {};
const card = { status: 'ACTIVE', panLast4, type: 'VIRTUAL' };
report('Look at the card', await browser.get('/api/card'), { status: 200, body: card });

const image = await browser.post('/api/card/image');
equal(image.headers.get('cache-control'), 'no-store');
const { imageUrl = '' } = Object(image.body) as { imageUrl?: string };
equal((await mock.fetch(imageUrl)).status, 200);
equal((await mock.fetch(imageUrl)).ok, false);
console.log('Show the card number: a URL that works once');

report('Freeze the card', await browser.post('/api/card/freeze'), {
  status: 200,
  body: { status: 'FROZEN' },
});

/** Plans a failure of the service, and checks the response that the page receives. */
async function expectFailure(plan: () => void, status: number, error: string, outcome: string) {
  plan();
  const response = await browser.post('/api/card/image');
  deepEqual(response.body, { error, outcome, message: Object(response.body).message });
  report(`Request an image, outcome ${outcome}`, response, { status, body: response.body });
}
const IMAGE = 'card.createDetailsToken';
await expectFailure(
  () => mock.drop(IMAGE, 'after-processing'),
  504,
  'connection_failed',
  'unknown',
);
await expectFailure(() => mock.fail(IMAGE, 403), 403, 'not_authorized', 'rejected');
await expectFailure(() => mock.fail(IMAGE, 498), 500, 'internal', 'rejected');

const to = `${origin}/hooks`;
const foreignHeaders = { origin: 'https://evil.example', 'content-type': 'text/plain' };
const forgery = { method: 'POST', headers: foreignHeaders, body: '{}' };
equal((await fetch(`${origin}/api/card/freeze`, forgery)).status, 403);
console.log('Post a form from another site: 403');

const [delivery] = await mock.deliver({ type: 'card.activated' }, { to });
ok(delivery);
equal(delivery.status, 204);
const deliver = async (headers: Record<string, string>) =>
  (await fetch(to, { method: 'POST', body: delivery.body, headers })).status;
equal(await deliver(delivery.headers), 204);
deepEqual(events, ['card.activated']);
console.log('Receive the same delivery twice: 204, 204, handled once');
const forged = { ...delivery.headers, 'x-signature': '0'.repeat(64) };
equal(await deliver(forged), 400);
keys.isChanging = true;
equal(await deliver(forged), 503);
console.log('Receive a signature that fits no key: 400, or 503 while a key is being replaced');

mock.advance('6 hours');
equal((await browser.get('/api/card')).status, 401);
equal((await browser.get('/api/card')).status, 401);
console.log('After six hours: 401');

const secrets = [
  ...Object.values(mock.credentials),
  ...mock.state.sessions.map(({ accessToken }) => accessToken),
  ...keys.accepted,
  ada.password,
];
ok(secrets.length >= 6);
for (const secret of secrets) equal(browser.received.includes(secret), false);
console.log(`The browser received none of ${secrets.length} secrets.`);
server.close();
