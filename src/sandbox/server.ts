import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIPv6 } from 'node:net';
import { LAST_MOMENT } from '../testing/check-options.js';
import {
  createMockPlatform,
  type MockPlatform,
  type MockPlatformOptions,
} from '../testing/index.js';
import { isPagePath } from '../testing/pages.js';
import { type Access, type AccessSettings, createAccess, isHostRepeated } from './access.js';
import type { Control } from './control/control-action.js';
import { controlOpenApi } from './control/control-openapi.js';
import { handleAction, handleForm } from './control/handle-action.js';
import {
  BODY_LIMIT,
  CONTROL_BODY_LIMIT,
  type Exchange,
  readBody,
  sendJson,
  sendPage,
  startServer,
  stopServer,
} from './http.js';
import { completeOpenApi, contractOpenApi, observedOpenApi } from './openapi-file.js';
import type { Certificate } from './options.js';
import { referencePage } from './pages/reference-page.js';
import { startPage } from './pages/start-page.js';
import { publicState } from './public-state.js';
import { relay } from './relay.js';
import { applySeed, type Seed } from './seed.js';

const ACTION_PATH = '/sandbox/actions/';

/** Returns whether a URL is under `/sandbox`, which controls the sandbox and shows its state. */
const isControlUrl = (url: string): boolean => /^\/sandbox(?:[/?]|$)/.test(url);

/** Returns whether a request is an action: by its route, or as the form of the page. */
const isAction = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && /^\/sandbox\/actions(?:[/?]|$)/.test(url);

/** Responds to a request for the sandbox itself. Returns `false` when it is for the API. */
async function handleControlRoute(
  exchange: Exchange,
  control: Control,
  text: string,
): Promise<boolean> {
  const { request, response } = exchange;
  const { platform } = control;
  const [path = '', query] = (request.url ?? '').split('?');
  const { baseUrl, isObserved } = platform;
  const referenceOf = isObserved ? completeOpenApi : contractOpenApi;
  const routes: Readonly<Record<string, () => unknown>> = {
    'GET /': () => {
      const isWatched = query === 'watch';
      sendPage(response, (nonce) => startPage(publicState(control), { nonce, isWatched }));
    },
    'GET /sandbox/reference': () =>
      sendPage(response, (nonce) => referencePage(referenceOf(baseUrl), nonce)),
    'GET /openapi.json': () => sendJson(response, 200, contractOpenApi(baseUrl)),
    ...(isObserved && {
      'GET /openapi-observed.json': () => sendJson(response, 200, observedOpenApi(baseUrl)),
    }),
    'GET /sandbox/openapi.json': () => sendJson(response, 200, controlOpenApi(baseUrl)),
    'GET /sandbox/state': () => sendJson(response, 200, publicState(control)),
    'GET /sandbox/snapshot': () => sendJson(response, 200, platform.snapshot()),
    'POST /sandbox/actions': () => handleForm(exchange, control, text),
  };
  const target = `${request.method} ${path}`;
  if (Object.hasOwn(routes, target)) {
    await routes[target]?.();
    return true;
  }
  if (request.method === 'POST' && path.startsWith(ACTION_PATH)) {
    await handleAction(exchange, control, { name: path.slice(ACTION_PATH.length), text });
    return true;
  }
  if (!isControlUrl(path)) return false;
  const known = [...Object.keys(routes), `POST ${ACTION_PATH}<name>`];
  sendJson(response, 404, {
    error: `this route is not known. The sandbox has ${known.join(', ')}`,
  });
  return true;
}

/** A running sandbox. */
export type Sandbox = {
  /** The address that it listens on. */
  url: string;
  platform: MockPlatform;
  stop: () => Promise<void>;
};

/** How the server is reached. */
type ServerSettings = {
  /** Address to listen on. Default 127.0.0.1. */
  listen?: string | undefined;
  /** Where clients reach the sandbox. Default: its address. */
  publicUrl?: string | undefined;
  tls?: Certificate | undefined;
  /** Hosts and pages that may use the sandbox, besides those of this machine. */
  access?: AccessSettings | undefined;
};

const CORS_HEADERS =
  'authorization, content-type, x-client-key, x-client-id, x-us-env, x-secret-key';

/** Lets an allowed page send the headers that it asks for, and read the response. */
function allowPage({ request, response }: Exchange, access: Access): void {
  const { headers } = request;
  const origin = access.allowedOrigin(headers);
  response.setHeader('vary', 'origin, access-control-request-headers');
  if (origin === undefined) return;
  const asked = headers['access-control-request-headers'] ?? CORS_HEADERS;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-headers', asked);
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
  response.setHeader('access-control-expose-headers', 'date, retry-after');
  // Browsers ask before a page of a public site reaches an address of a private network.
  if (headers['access-control-request-private-network'] === 'true') {
    response.setHeader('access-control-allow-private-network', 'true');
  }
}

async function handleRequest(exchange: Exchange, control: Control, access: Access): Promise<void> {
  const { request, response } = exchange;
  const { headers, url = '' } = request;
  if (isHostRepeated(request)) {
    return sendJson(response, 400, { error: 'the Host header must not be repeated' });
  }
  if (!access.isForAllowedHost(headers)) {
    return sendJson(response, 421, {
      error: 'the Host header must name this machine or a host of --allow-host',
    });
  }
  const isControl = isControlUrl(url);
  const isEmbedded = isPagePath(url.split('?')[0] ?? '');
  if (access.isFromForeignPage(headers) || (!isEmbedded && access.isCrossSite(request))) {
    return sendJson(response, 403, {
      error: 'only pages of this machine and of --allow-origin may send requests',
    });
  }
  allowPage(exchange, access);
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  const limit = isControl ? CONTROL_BODY_LIMIT : BODY_LIMIT;
  const text = await readBody(request, limit);
  if (text === undefined) {
    response.setHeader('connection', 'close');
    return sendJson(response, 413, { error: `a request body may have at most ${limit} bytes` });
  }
  if (await handleControlRoute(exchange, control, text)) return;
  return relay(control.platform, request, text, response);
}

const TICK_MS = 1_000;
const INVALID_CLOCK = 'now must return milliseconds since 1970';
const LAST_CLOCK_TIME = Date.UTC(9999, 11, 31);

/** Reads a clock. Returns `undefined` for anything that is not a time. */
function readClock(now: () => number): number | undefined {
  const time: unknown = now();
  return typeof time === 'number' && time >= 0 && time <= LAST_CLOCK_TIME ? time : undefined;
}

/** Listens, and returns the address as a URL. */
async function listenOn(server: Server, port: number, { listen, tls }: ServerSettings) {
  const host = listen ?? '127.0.0.1';
  const boundPort = await startServer(server, port, host);
  // A client cannot connect to a wildcard address. On this machine it uses the loopback.
  const isEvery = host === '0.0.0.0' || host === '::';
  const name = isEvery ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host;
  const url = `${tls ? 'https' : 'http'}://${name}:${boundPort}`;
  return { url, name };
}

/** Returns the parts that actions use. The platform never lags behind real time. */
function createControl(
  platform: MockPlatform,
  addSeed: (other?: Seed) => void,
  now: () => number,
): Control {
  const catchUp = () => platform.advance(Math.max(0, now() - platform.now));
  const holds: Control['holds'] = new Map();
  const routes: Control['routes'] = new Map();
  const reset = (other?: Seed) => {
    platform.reset();
    holds.clear();
    routes.clear();
    catchUp();
    addSeed(other);
  };
  return { platform, snapshots: new Map(), holds, routes, reset, catchUp, now };
}

type SandboxSettings = Omit<MockPlatformOptions, 'baseUrl' | 'startsAt'> & ServerSettings;

/** Responds to the requests of a server that listens. Its clock follows real time. */
function serveOn(
  server: Server,
  { url, name }: Awaited<ReturnType<typeof listenOn>>,
  seed: Seed,
  now: () => number,
  { listen: _, publicUrl, tls: __, access: settings = {}, ...platformOptions }: SandboxSettings,
): Sandbox {
  const start = readClock(now);
  if (start === undefined) throw new TypeError(INVALID_CLOCK);
  let last = start;
  /** Follows the real time. Throws while it cannot be read, and when the state is broken. */
  const follow = () => {
    const current = readClock(now);
    if (current === undefined) throw new TypeError(INVALID_CLOCK);
    // At the end of the year 9999 the platform's clock stops. The sandbox must not.
    const passed = Math.min(current - last, LAST_MOMENT - platform.now);
    // The clock moves also where the state is broken: no time may pass twice.
    last = current;
    platform.advance(Math.max(0, passed));
  };
  const baseUrl = publicUrl ?? url;
  const platform = createMockPlatform({
    webhookTime: () => readClock(now) ?? last,
    ...platformOptions,
    baseUrl,
    startsAt: last,
  });
  const addSeed = (other = seed) => applySeed(platform, other, platformOptions);
  const control = createControl(platform, addSeed, () => last);
  addSeed();
  control.catchUp();
  const hosts = [...(settings.hosts ?? []), name, new URL(baseUrl).hostname];
  const access = createAccess({ hosts, origins: settings.origins });
  server.on('request', (request, response) => {
    try {
      follow();
    } catch (error) {
      // An action can repair the state, and reports itself what fails.
      if (!isAction(request)) {
        const reason = error instanceof Error ? error.message : 'the request failed';
        return sendJson(response, 500, { error: reason });
      }
    }
    // When a request breaks off while its body is read, nobody waits for a response.
    handleRequest({ request, response }, control, access).catch(() => response.destroy());
  });
  // Deliveries are sent again when they are due, also while no request arrives.
  const ticking = setInterval(() => {
    try {
      follow();
    } catch {
      // The next request reports it.
    }
  }, TICK_MS).unref();
  const stop = () => {
    clearInterval(ticking);
    // A receiver that does not respond would keep the process running.
    platform.reset();
    return stopServer(server);
  };
  return { url, platform, stop };
}

/** Starts the sandbox, by default on 127.0.0.1. Its clock follows real time. */
export async function startSandbox(
  port: number,
  seed: Seed,
  now: () => number = Date.now,
  options: SandboxSettings = {},
): Promise<Sandbox> {
  const { listen, tls } = options;
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  const address = await listenOn(server, port, { listen, tls });
  try {
    return serveOn(server, address, seed, now, options);
  } catch (error) {
    await stopServer(server);
    throw error;
  }
}
