import {
  AuthenticationError,
  CardPlatformClient,
  NotFoundError,
  verifyWebhook,
  WebhookVerificationError,
} from 'card-platform-sdk';

/** The bindings of the Worker. Nothing is read from anywhere else. */
export type Env = {
  PLATFORM_URL: string;
  CLIENT_KEY: string;
  /** Signing keys, separated by commas: two while a key is being replaced. */
  WEBHOOK_KEYS: string;
  /** `true` from shortly before a key is replaced until all instances have the new one. */
  WEBHOOK_KEY_IS_CHANGING?: string | undefined;
  /** Access tokens by the id in the session cookie, for example a Cloudflare KV namespace. */
  SESSIONS: Pick<Store, 'get'>;
  /** Delivered events by id. With KV, simultaneous deliveries may both be stored; use a database to avoid that. */
  EVENTS: Store;
};

/** The part of a KV namespace that is used here. */
export type Store = {
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
};

/** `GET /api/card`: returns only what a page may know about its user's card. */
export async function card(request: Request, env: Env): Promise<Response> {
  const sessionId = /(?:^|; )session=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
  const accessToken = sessionId === undefined ? null : await env.SESSIONS.get(sessionId);
  if (accessToken === null) return jsonResponse(401, { error: 'not_logged_in' });
  const { PLATFORM_URL: baseUrl, CLIENT_KEY: clientKey } = env;
  const userClient = new CardPlatformClient({ baseUrl, clientKey, accessToken });
  const { ok, data, error } = await userClient.card.status().safe();
  if (ok) return jsonResponse(200, { status: data.status, panLast4: data.panLast4 });
  if (error instanceof AuthenticationError) return jsonResponse(401, { error: 'not_logged_in' });
  if (error instanceof NotFoundError) return jsonResponse(404, { error: error.code });
  console.error(error.toJSON());
  return jsonResponse(503, { error: 'not_available' });
}

/** `POST /hooks`: verifies the raw body before anything parses it. */
export async function hooks(request: Request, env: Env): Promise<Response> {
  const { headers } = request;
  const keys = env.WEBHOOK_KEYS.split(',');
  try {
    const event = await verifyWebhook({ body: await request.arrayBuffer(), headers, keys });
    const id = event.eventId ?? crypto.randomUUID();
    if ((await env.EVENTS.get(id)) === null) {
      await env.EVENTS.put(id, JSON.stringify(event.payload));
    }
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(null, { status: env.WEBHOOK_KEY_IS_CHANGING === 'true' ? 503 : 400 });
  }
}

function jsonResponse(status: number, body: object): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}

const ROUTES = new Map([
  ['GET /api/card', card],
  ['POST /hooks', hooks],
]);

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const route = ROUTES.get(`${request.method} ${new URL(request.url).pathname}`);
    return route === undefined ? jsonResponse(404, { error: 'not_found' }) : route(request, env);
  },
};
