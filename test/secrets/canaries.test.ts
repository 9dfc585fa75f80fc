import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import type { ClientOptions, RequestOptions } from '../../src/transport/settings/options.js';
import { json, rejection } from '../support/clients.js';
import { signedMessage } from '../support/signed-message.js';

/** Nine kinds of secret. No other text contains one of them. */
const CANARIES = {
  clientKey: 'CANARY-client-key-1',
  secretKey: 'CANARY-secret-key-2',
  clientId: 'CANARY-client-id-3',
  accessToken: 'CANARY-access-token-4',
  password: 'CANARY-password-5',
  otpCode: '918273',
  delegationToken: 'CANARY-delegation-token-7',
  webhookKey: 'whk_CANARY-webhook-key-8',
  imageUrl: 'https://img.example.com/CANARY-image-9',
} as const;

const NAMES = Object.keys(CANARIES) as (keyof typeof CANARIES)[];

const ECHO = JSON.stringify({
  message: Object.values(CANARIES).slice(0, 7).join(' '),
  everything: CANARIES,
});

function failure(code: string, text: string): TypeError {
  return new TypeError(`fetch failed: ${text}`, {
    cause: Object.assign(new Error(text), { code }),
  });
}

type Service = (init: RequestInit) => Promise<Response> | Response;

const respondWith =
  (status: number, body = ECHO, type = 'application/json') =>
  () =>
    new Response(body, { status, headers: { 'content-type': type, 'x-echo': CANARIES.clientKey } });

/** Every way in which a call can fail. Each service echoes every secret that it can. */
const SERVICES: Record<string, Service> = {
  ...Object.fromEntries(
    [400, 401, 403, 404, 408, 409, 418, 422, 429, 498, 499, 500, 502, 503].map((status) => [
      `status ${status}`,
      respondWith(status),
    ]),
  ),
  'plain text': respondWith(400, ECHO, 'text/plain'),
  'HTML with 502': respondWith(502, `<html>${ECHO}</html>`, 'text/html'),
  'HTML with 200': respondWith(200, `<html>${ECHO}</html>`, 'text/html'),
  'truncated JSON': respondWith(200, ECHO.slice(0, -3)),
  'an odd content type': respondWith(200, ECHO, `x/${CANARIES.clientKey}`),
  'success: false': respondWith(200, JSON.stringify({ success: false, message: ECHO })),
  'the wrong shape': respondWith(200, JSON.stringify([CANARIES])),
  'an empty body': respondWith(200, ''),
  'a redirect': () =>
    new Response(null, {
      status: 302,
      headers: { location: `https://evil.example/?k=${CANARIES.clientKey}` },
    }),
  reset: () => Promise.reject(failure('ECONNRESET', ECHO)),
  refused: () => Promise.reject(failure('ECONNREFUSED', ECHO)),
  TLS: () => Promise.reject(failure('DEPTH_ZERO_SELF_SIGNED_CERT', ECHO)),
  'a code of its own': () => Promise.reject(failure(CANARIES.clientKey, ECHO)),
  'no error': () => Promise.reject(ECHO),
  'a native Headers error': (init) => {
    new Headers({ 'x-client-key': `${new Headers(init.headers).get('x-client-key')}\n` });
    return new Response();
  },
  stall: (init) =>
    new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(ECHO))),
  'a body that breaks': () =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(ECHO.slice(0, 20)));
          controller.error(new Error(ECHO));
        },
      }),
    ),
};

type Invoke = (client: CardPlatformClient, options: RequestOptions) => PromiseLike<unknown>;

const approval = {
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  network: 'linea',
  currency: 'usdc',
  amount: '1',
  txHash: `0x${'a'.repeat(64)}`,
  sigHash: `0x${'b'.repeat(130)}`,
  sigMessage: signedMessage(),
  token: CANARIES.delegationToken,
};

const CALLS: Record<string, Invoke> = {
  login: (client, options) =>
    client.auth.login(
      { email: 'ada@example.com', password: CANARIES.password, otpCode: CANARIES.otpCode },
      options,
    ),
  status: (client, options) => client.card.status(options),
  submit: (client, options) => client.delegation.submitEvmApproval(approval, options),
  order: (client, options) =>
    client.orders.create({ productId: 'p', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' }, options),
  consent: (client, options) =>
    client.consent.linkUser(
      { consentSetId: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e', userId: 'u' },
      options,
    ),
};

const printed: string[] = [];
const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;
beforeEach(() => {
  printed.length = 0;
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...values) => {
      printed.push(...values.map((value) => inspect(value, { depth: 10, showHidden: true })));
    });
  }
});
afterEach(() => vi.restoreAllMocks());

function causes(error: unknown): unknown[] {
  return error instanceof Error && error.cause !== undefined
    ? [error.cause, ...causes(error.cause)]
    : [];
}

function clone(error: unknown): string {
  try {
    return inspect(structuredClone(error), { depth: 10, showHidden: true });
  } catch {
    return '';
  }
}

/** Returns everything that a program may do with an error that it does not understand. */
function sinksOf(error: unknown): Record<string, string> {
  const chain = [error, ...causes(error)];
  console.error(error);
  return {
    message: chain.map((one) => (one as Error).message).join('\n'),
    stack: chain.map((one) => (one as Error).stack).join('\n'),
    string: chain.map(String).join('\n'),
    inspect: inspect(error, { depth: 10, showHidden: true }),
    json: JSON.stringify(chain),
    clone: clone(error),
    spread: inspect({ ...(error as object) }, { depth: 10, showHidden: true }),
    entries: JSON.stringify(Object.entries(error as object)),
    console: printed.join('\n'),
  };
}

/**
 * These services return text that the error quotes, so only the secrets that the call itself sent
 * must be absent.
 */
const QUOTED = /^(?:status|plain text|success|HTML with 502|a code of its own|no error)/;
const SENT_BY: Record<string, readonly (keyof typeof CANARIES)[]> = {
  login: ['clientKey', 'password', 'otpCode'],
  status: ['clientKey', 'accessToken'],
  submit: ['clientKey', 'accessToken', 'delegationToken'],
  order: ['clientId', 'accessToken'],
  consent: ['clientKey', 'secretKey'],
};

const CELLS = Object.keys(SERVICES).flatMap((service) =>
  Object.keys(CALLS).map((call) => ({ service, call })),
);

/** A 2xx without a body is enough for this call, so it does not fail. */
const isDone = ({ service, call }: (typeof CELLS)[number]) =>
  ['an empty body', 'a native Headers error'].includes(service) && call === 'consent';

function optionsFor(service: string, see: (...values: unknown[]) => void): ClientOptions {
  return {
    baseUrl: 'https://api.example.com',
    clientKey: CANARIES.clientKey,
    clientId: CANARIES.clientId,
    secretKey: CANARIES.secretKey,
    accessToken: CANARIES.accessToken,
    ...(service === 'stall' && { timeout: 20 }),
    fetch: async (_url, init) => (SERVICES[service] as Service)(init),
    logger: { debug: see, warn: see },
    middleware: [
      async (request, next) => {
        see(request);
        await next().catch(see);
      },
    ],
    onDrift: see,
    random: () => 0,
  };
}

describe('no secret appears in any output of a call that is done without a body', () => {
  it.each(CELLS.filter(isDone))('$call with the service "$service"', async ({ service, call }) => {
    const seen: string[] = [];
    const see = (...values: unknown[]) =>
      seen.push(inspect(values, { depth: 10, showHidden: true }));
    const client = new CardPlatformClient(optionsFor(service, see));
    see(await (CALLS[call] as Invoke)(client, {}));
    for (const name of NAMES) expect(seen.join('\n')).not.toContain(CANARIES[name]);
  });
});

describe('no secret appears in any output of a failed call', () => {
  const failing = CELLS.filter((cell) => !isDone(cell));
  it.each(failing)('$call with the service "$service"', async ({ service, call }) => {
    const seen: string[] = [];
    const see = (...values: unknown[]) =>
      seen.push(inspect(values, { depth: 10, showHidden: true }));
    const client = new CardPlatformClient(optionsFor(service, see));
    const error = await rejection((CALLS[call] as Invoke)(client, {}));
    expect((error as { operation: string }).operation).toBeDefined();
    const names = QUOTED.test(service) ? (SENT_BY[call] ?? []) : NAMES;
    const sinks = { ...sinksOf(error), hooks: seen.join('\n') };
    for (const [sink, text] of Object.entries(sinks)) {
      for (const name of names) {
        expect(text.includes(CANARIES[name]), `${name} in ${sink}`).toBe(false);
      }
    }
  });
});

describe('a result with a secret', () => {
  const response = {
    accessToken: CANARIES.accessToken,
    token: CANARIES.delegationToken,
    nonce: CANARIES.delegationToken,
    imageUrl: CANARIES.imageUrl,
    hostedPageUrl: CANARIES.imageUrl,
    sessionUrl: CANARIES.imageUrl,
    success: true,
    data: { id: 'w', apiKey: CANARIES.webhookKey },
  };
  const id = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
  const client = new CardPlatformClient({
    baseUrl: 'https://api.example.com',
    clientKey: 'key',
    accessToken: 'token',
    fetch: async () => json(response),
  });
  const calls: [string, () => PromiseLike<unknown>, string][] = [
    [
      'login',
      () => client.auth.login({ email: 'a@example.com', password: 'x' }),
      CANARIES.accessToken,
    ],
    ['delegation token', () => client.delegation.getToken(), CANARIES.delegationToken],
    ['details', () => client.card.createDetailsToken(), CANARIES.imageUrl],
    ['PIN', () => client.card.createPinToken(), CANARIES.imageUrl],
    ['set-PIN', () => client.card.createSetPinToken(), CANARIES.imageUrl],
    ['verification', () => client.user.startVerification(), CANARIES.imageUrl],
    ['rotated key', () => client.webhooks.rotateKey({ id }), CANARIES.webhookKey],
    [
      'new webhook',
      () => client.webhooks.create({ name: 'n', url: 'https://x.example', eventTypes: ['*'] }),
      CANARIES.webhookKey,
    ],
  ];

  it.each(
    calls,
  )('is redacted when printed, but not for the program: %s', async (_, call, secret) => {
    const result = await call();
    expect(JSON.stringify(result)).toContain(secret);
    console.log(result);
    expect(inspect(result, { depth: 10 })).toContain('[redacted]');
  });
});
