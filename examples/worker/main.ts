import { deepEqual, equal } from 'node:assert/strict';
import { createMockPlatform, signWebhook } from 'card-platform-sdk/testing';
import { GET, POST, stores } from './route.js';
import worker, { type Env } from './worker.js';

// A Worker with its keys in bindings (`worker.ts`), and the same as Next.js route handlers
// (`route.ts`). This file hands both the same requests: `npx tsx examples/worker/main.ts`.
const mock = createMockPlatform();
// The client looks `fetch` up at each call, so what the runtime has is what it uses.
globalThis.fetch = mock.fetch;
console.error = () => {}; // Failures are planned here.

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

/** Hands a request to the Worker and to the route handler: both have to answer the same. */
async function play(what: string, request: Request, route: Handler, status: number, body = '') {
  const answers = [await worker.fetch(request.clone(), env), await route(request)];
  const shown = await Promise.all(
    answers.map(async (a) => ({ status: a.status, body: await a.text() })),
  );
  deepEqual(shown, [
    { status, body },
    { status, body },
  ]);
  console.log(`${what}: ${status} ${body}`);
}

const page = (cookie: string) =>
  new Request('https://shop.example/api/card', { headers: { cookie } });
const panLast4 = mock.state.users[0]?.card?.panLast4;
const active = JSON.stringify({ status: 'ACTIVE', panLast4 });
await play('Ada', page('theme=dark; session=ada'), GET, 200, active);
await play('Bob, who has no card', page('session=bob'), GET, 404, '{"error":"card_not_found"}');
await play('Nobody', page(''), GET, 401, '{"error":"not_logged_in"}');
mock.fail('card.status', 498, { times: 2 });
await play('A wrong key', page('session=ada'), GET, 503, '{"error":"not_available"}');

const event = { event_id: 'event-1', event_type: 'card.activated', data: {} };
const delivery = async (key: string) => {
  const { body, headers } = await signWebhook(key, event, Date.now());
  return new Request('https://shop.example/hooks', { method: 'POST', body, headers });
};
await play('A delivery', await delivery('whk_new'), POST, 204);
await play('Again, with the old key', await delivery('whk_old'), POST, 204);
equal(await stores.EVENTS.get('event-1'), JSON.stringify(event));
await play('A forged one', await delivery('whk_forged'), POST, 400);
env.WEBHOOK_KEY_IS_CHANGING = process.env['WEBHOOK_KEY_IS_CHANGING'] = 'true';
await play('A key that is not here yet', await delivery('whk_newest'), POST, 503);

mock.advance('6 hours');
await play('After six hours', page('session=ada'), GET, 401, '{"error":"not_logged_in"}');
