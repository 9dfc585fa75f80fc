import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CardPlatformClient } from '../../src/client.js';
import {
  createCardProxy,
  createErrorResponse,
  DEFAULT_OPERATIONS,
  toNodeHandler,
} from '../../src/server/index.js';

/** The path of the page's own server. */
export const SERVER_PATH = '/platform';

/** Creates the server of the page: a login that keeps the access token, and the proxy. */
export function createPageServer(options: { baseUrl: string; clientKey: string }) {
  const client = new CardPlatformClient(options);
  // In production, use a store that all servers share.
  const sessions = new Map<string, { accessToken: string }>();

  const proxy = createCardProxy({
    client,
    basePath: SERVER_PATH,
    // The code is requested before there is a session.
    allow: [...DEFAULT_OPERATIONS, 'auth.sendLoginOtp'],
    session: (request) => sessions.get(cookieOf(request) ?? ''),
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
    const id = randomBytes(32).toString('base64url');
    sessions.set(id, { accessToken: data.accessToken });
    const { verificationState } = data;
    // Add `Secure` where the page has https.
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
  return /(?:^|; )session=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
}
