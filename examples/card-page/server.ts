import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CardPlatformClient } from '../../src/client.js';
import type { KeyValueStore } from '../../src/index.js';
import {
  createCardProxy,
  createErrorResponse,
  DEFAULT_OPERATIONS,
  toNodeHandler,
} from '../../src/server/index.js';
import { createSessions } from '../../src/sessions/index.js';

/** The path of the page's own server. */
export const SERVER_PATH = '/platform';

/**
 * Creates the server of the page: a login that keeps the access token, and the proxy.
 *
 * @param store - keeps the sessions. In production a table that all servers share, so that a
 *   restart logs nobody out
 */
export function createPageServer(
  options: { baseUrl: string; clientKey: string },
  store: KeyValueStore,
) {
  const client = new CardPlatformClient(options);
  /** Returns the session of one cookie, or `undefined` when it has expired. */
  const sessionsOf = (id: string) => createSessions({ store, key: `session.${id}` });

  const proxy = createCardProxy({
    client,
    basePath: SERVER_PATH,
    // The one-time password is requested before there is a session.
    allow: [...DEFAULT_OPERATIONS, 'auth.sendLoginOtp'],
    session: async (request) => {
      const id = cookieOf(request);
      return id === undefined ? undefined : (await sessionsOf(id).load()).session;
    },
  });

  /** Logs in. The page gets a cookie that no script can read, and never the access token. */
  async function logIn(request: Request): Promise<Response> {
    if (request.headers.get('sec-fetch-site') !== 'same-origin') {
      return new Response(null, { status: 403 });
    }
    const { email, password, otpCode } = await request.json();
    const { ok, data, error } = await client.auth.login({ email, password, otpCode }).safe();
    if (!ok) return createErrorResponse(error);
    if (data.phase) return Response.json({ phase: data.phase });
    // Nobody can guess this id. Another login never continues the session of an earlier cookie.
    const id = randomBytes(32).toString('hex');
    await sessionsOf(id).signIn(data, { region: 'global' });
    const { verificationState } = data;
    // Add `Secure` when the page is served over https.
    const cookie = `session=${id}; Path=${SERVER_PATH}; HttpOnly; SameSite=Strict`;
    return Response.json({ verificationState }, { headers: { 'set-cookie': cookie } });
  }

  const handle = toNodeHandler((request) => {
    const isLogin = new URL(request.url).pathname === `${SERVER_PATH}/session`;
    return isLogin && request.method === 'POST' ? logIn(request) : proxy(request);
  });
  return (request: IncomingMessage, response: ServerResponse) => void handle(request, response);
}

function cookieOf(request: Request): string | undefined {
  return /(?:^|; )session=([0-9a-f]{64})(?:;|$)/.exec(request.headers.get('cookie') ?? '')?.[1];
}
