import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMockPlatform,
  type MockPlatform,
  type MockPlatformOptions,
} from '../testing/index.js';
import { DEFAULT_PASSWORD } from '../testing/users.js';
import { runAction } from './actions.js';
import { isForThisMachine, isFromForeignPage, localOrigin } from './local-only.js';
import { startPage } from './page.js';
import { publicState } from './public-state.js';
import { BODY_LIMIT, readBody } from './read-body.js';
import { relay } from './relay.js';
import { seedDemo } from './seed.js';

/** The start page that reloads itself. */
const WATCH_URL = '/?watch';
const CORS_HEADERS =
  'authorization, content-type, x-client-key, x-client-id, x-us-env, x-secret-key';

/** A running sandbox. */
export type Sandbox = { url: string; platform: MockPlatform; stop: () => Promise<void> };

type Exchange = { platform: MockPlatform; request: IncomingMessage; response: ServerResponse };

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.writeHead(status);
  response.end(JSON.stringify(body));
}

function allowLocalPages({ request, response }: Exchange): void {
  const origin = localOrigin(request);
  response.setHeader('vary', 'origin');
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-headers', CORS_HEADERS);
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
  response.setHeader('access-control-expose-headers', 'date, retry-after');
}

function showStartPage({ platform, request, response }: Exchange): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
  response.setHeader('content-security-policy', policy);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  const isWatched = request.url === WATCH_URL;
  const shown = { password: DEFAULT_PASSWORD, nonce, isWatched };
  response.end(startPage(publicState(platform), shown));
}

function handleAction({ platform, request, response }: Exchange, text: string): void {
  const isScript = request.headers.accept?.includes('json') === true;
  try {
    runAction(platform, new URLSearchParams(text));
    if (isScript) sendJson(response, 200, publicState(platform));
    else response.writeHead(303, { location: '/' }).end();
  } catch (error) {
    sendJson(response, 400, {
      error: error instanceof Error ? error.message : 'the action failed',
    });
  }
}

async function handleRequest(exchange: Exchange): Promise<void> {
  const { platform, request, response } = exchange;
  if (!isForThisMachine(request))
    return sendJson(response, 421, { error: 'the Host header must name this machine' });
  if (isFromForeignPage(request))
    return sendJson(response, 403, { error: 'only pages of this machine may send requests' });
  allowLocalPages(exchange);
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  const text = await readBody(request);
  if (text === undefined) {
    response.setHeader('connection', 'close');
    return sendJson(response, 413, {
      error: `a request body may have at most ${BODY_LIMIT} bytes`,
    });
  }
  const target = `${request.method} ${request.url}`;
  if (target === 'GET /' || target === `GET ${WATCH_URL}`) return showStartPage(exchange);
  if (target === 'GET /sandbox/state') return sendJson(response, 200, publicState(platform));
  if (target === 'POST /sandbox/actions') return handleAction(exchange, text);
  return relay(platform, request, text, response);
}

const INVALID_CLOCK = 'now must return milliseconds since 1970';
const LAST_TIME = Date.UTC(9999, 11, 31);

/** Reads a clock. Returns `undefined` for anything that is not a time. */
function readClock(now: () => number): number | undefined {
  const time: unknown = now();
  return typeof time === 'number' && time >= 0 && time <= LAST_TIME ? time : undefined;
}

/** Starts the sandbox on 127.0.0.1. Its clock follows real time. */
export async function startSandbox(
  port: number,
  seed: 'demo' | 'empty',
  now: () => number = Date.now,
  options: Omit<MockPlatformOptions, 'baseUrl' | 'startsAt'> = {},
): Promise<Sandbox> {
  const start = readClock(now);
  if (start === undefined) throw new TypeError(INVALID_CLOCK);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let last = start;
  const platform = createMockPlatform({ ...options, baseUrl: url, startsAt: last });
  if (seed === 'demo') seedDemo(platform);
  server.on('request', (request, response) => {
    const current = readClock(now);
    if (current === undefined) return sendJson(response, 500, { error: INVALID_CLOCK });
    platform.advance(Math.max(0, current - last));
    last = current;
    // When a request breaks off while its body is read, nobody waits for a response.
    handleRequest({ platform, request, response }).catch(() => response.destroy());
  });
  return {
    url,
    platform,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
