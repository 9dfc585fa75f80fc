import { deepEqual, equal } from 'node:assert/strict';
import { createMockPlatform, signWebhook } from 'card-platform-sdk/testing';
import { GET, POST, stores } from './route.js';
import worker, { type Env } from './worker.js';

// A Worker with its keys in bindings (`worker.ts`), and the same handlers as Next.js routes
// (`route.ts`). This file sends both the same requests: `npx tsx examples/worker/main.ts`.
const mock = createMockPlatform();
// The client looks up `fetch` at each call, so it uses the runtime's current one.
globalThis.fetch = mock.fetch;
console.error = () => {}; // The failures below are planned.

const env: Env = {
  PLATFORM_URL: mock.baseUrl,
  CLIENT_KEY: mock.credentials.clientKey,
  WEBHOOK_KEYS: 'whk_new,whk_old',
  ...stores,
};
const { PLATFORM_URL, CLIENT_KEY, WEBHOOK_KEYS } = env;
Object.assign(process.env, { PLATFORM_URL, CLIENT_KEY, WEBHOOK_KEYS });
await stores.SESSIONS.put('ada', mock.accessTokenFor(mock.users.add({ card: 'ACTIVE' })));
await stores.SESSIONS.put('bob', mock.accessTokenFor(mock.users.add()));

type Handler = (request: Request) => Promise<Response>;

/** Sends a request to the Worker and to the route handler, and checks both responses. */
async function expectResponse(
  what: string,
  request: Request,
  route: Handler,
  status: number,
  body = '',
) {
  const responses = [await worker.fetch(request.clone(), env), await route(request)];
  const received = await Promise.all(
    responses.map(async (response) => ({ status: response.status, body: await response.text() })),
  );
  deepEqual(received, [
    { status, body },
    { status, body },
  ]);
  console.log(`${what}: ${status} ${body}`);
}

const page = (cookie: string) =>
  new Request('https://shop.example/api/card', { headers: { cookie } });
const panLast4 = mock.state.users[0]?.card?.panLast4;
const active = JSON.stringify({ status: 'ACTIVE', panLast4 });
await expectResponse('Ada', page('theme=dark; session=ada'), GET, 200, active);
await expectResponse(
  'Bob, who has no card',
  page('session=bob'),
  GET,
  404,
  '{"error":"card_not_found"}',
);
await expectResponse('Nobody', page(''), GET, 401, '{"error":"not_logged_in"}');
mock.fail('card.status', 498, { times: 2 });
await expectResponse('A wrong key', page('session=ada'), GET, 503, '{"error":"not_available"}');

const event = { event_id: 'event-1', event_type: 'card.activated', event_object: {} };
const delivery = async (key: string) => {
  const { body, headers } = await signWebhook(key, event, Date.now());
  return new Request('https://shop.example/hooks', { method: 'POST', body, headers });
};
await expectResponse('A delivery', await delivery('whk_new'), POST, 204);
await expectResponse('Again, with the old key', await delivery('whk_old'), POST, 204);
equal(await stores.EVENTS.get('event-1'), JSON.stringify(event));
await expectResponse('A forged one', await delivery('whk_forged'), POST, 400);
env.WEBHOOK_KEY_IS_CHANGING = process.env['WEBHOOK_KEY_IS_CHANGING'] = 'true';
await expectResponse('A key that is not here yet', await delivery('whk_newest'), POST, 503);

mock.advance('6 hours');
await expectResponse('After six hours', page('session=ada'), GET, 401, '{"error":"not_logged_in"}');
