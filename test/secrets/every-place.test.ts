import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { call, defineEndpoint } from '../../src/endpoints/index.js';
import { type CardPlatformClient, isCardPlatformError } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import { createErrorResponse } from '../../src/server/index.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { pageClient } from '../server/support.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { signedMessage } from '../support/signed-message.js';

/** Every kind of secret that a call can send. No other text contains one of them. */
const SENT = {
  clientKey: 'CANARY-client/key+1',
  clientId: 'CANARY-client"id-2',
  secretKey: 'CANARY-secret&key=3',
  accessToken: 'CANARY-token.of-the~provider-4',
  password: 'CANARY pässword\\5',
  otpCode: '81927364',
  delegationToken: 'CANARY-delegation-token-7',
  refreshToken: 'CANARY-refresh-token-8',
} as const;

/** Secrets that only the service knows, under the names that it gives them. */
const ISSUED = {
  apiKey: 'whk_CANARY-signing-key-10',
  imageUrl: 'https://img.example.com/CANARY-image-11',
  token: 'CANARY-issued-token-12',
  session: { refresh_token: 'CANARY-issued-refresh-13' },
  pin: 48151623,
} as const;
const ISSUED_TEXTS = [
  ISSUED.apiKey,
  ISSUED.imageUrl,
  ISSUED.token,
  ISSUED.session.refresh_token,
  String(ISSUED.pin),
];

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const toBase64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

/** Every place of a body in which a service may repeat a text, and every spelling of it. */
const PLACES: Readonly<Record<string, (text: string) => object>> = {
  message: (text) => ({ message: text }),
  'an echo of the headers': (text) => ({
    headers: { authorization: `Bearer ${text}`, 'x-client-key': text, cookie: [text] },
  }),
  'a nested field': (text) => ({ a: { b: [{ c: text }] } }),
  'the name of a field': (text) => ({ [text]: { [`x-${text}`]: 1 } }),
  'a refused field': (text) => ({ errors: [{ field: text, message: text }] }),
  'the code': (text) => ({ code: text, errorCode: text, title: text, detail: text }),
  'a field of the result': (text) => ({ success: text, status: text, id: text, userId: text }),
  'evidence of execution': (text) => ({ txHash: text, [`hash`]: text, signature: text }),
  JSON: (text) => ({ message: JSON.stringify({ request: { note: text } }) }),
  'JSON in JSON': (text) => ({ debug: JSON.stringify(JSON.stringify({ note: text })) }),
  'a URL': (text) => ({ debug: `https://x.example/?q=${encodeURIComponent(text)}` }),
  'a form': (text) => ({ debug: new URLSearchParams({ q: text }).toString() }),
  base64: (text) => ({ debug: toBase64(text) }),
  'base64 of a pair': (text) => ({ debug: `Basic ${toBase64(`user:${text}`)}` }),
};

/** Every response after which a call fails. */
const RESPONSES: Readonly<Record<string, (body: object, text: string) => Response | Error>> = {
  ...Object.fromEntries(
    [400, 401, 403, 404, 409, 418, 422, 429, 498, 499, 500, 503].map((status) => [
      `status ${status}`,
      (body: object) => json(body, status),
    ]),
  ),
  'success: false': (body) => json({ ...body, success: false }),
  'success: false with a result': (body) =>
    json({ ...body, success: false, txHash: `0x${'ab'.repeat(32)}` }),
  'an error body with 200': (body) => json({ statusCode: 400, error: 'Bad', ...body }),
  'another shape with 200': (body) => json([body]),
  'a field of another type with 200': (body) => json({ ...body, id: 1, success: 1, status: 2 }),
  'a request for a code with 200': (body) =>
    json({ ...body, isOtpRequired: true, userId: Object.values(body)[0], phoneNumber: 'x' }),
  'text with 400': (body) => new Response(JSON.stringify(body).slice(1), { status: 400 }),
  'HTML with 200': (body) =>
    new Response(`<p>${JSON.stringify(body)}</p>`, { headers: { 'content-type': 'text/html' } }),
  'a media type': (_, text) =>
    new Response('x', { headers: { 'content-type': `x/${text.replace(/[^\w.+/-]/g, '')}` } }),
  'a redirect': (_, text) =>
    new Response(null, {
      status: 302,
      headers: { location: `https://x.example/?${encodeURIComponent(text)}` },
    }),
  'headers of an error': (_, text) => {
    const value = text.replace(/[^\x21-\x7e]/g, '');
    return json({}, 404, { 'x-request-id': value, 'x-echo': value, 'www-authenticate': value });
  },
  'a broken connection': (body, text) => {
    const cause = Object.assign(new Error(text), { code: 'ECONNRESET', request: body, [text]: 1 });
    const joined = new AggregateError([cause, new Error(JSON.stringify(body))], text);
    return Object.assign(new TypeError(text, { cause: joined }), { body, config: { body } });
  },
  'a body that breaks': (body, text) =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(JSON.stringify(body).slice(0, 9)));
          controller.error(new Error(text, { cause: new Error(text) }));
        },
      }),
    ),
};

type Invoke = (client: CardPlatformClient) => PromiseLike<unknown>;

const strictEndpoint = defineEndpoint({
  id: 'own.command',
  method: 'POST',
  path: '/v1/own',
  retry: 'never',
  input: z.strictObject({ note: z.string(), refreshToken: z.string() }),
  output: z.object({ done: z.literal(true) }),
});
/** A schema of a caller that quotes what it gets. */
const quoting = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => {
      throw new Error(JSON.stringify(value), { cause: new Error(JSON.stringify(value)) });
    },
  },
} as const;

const PROOF = {
  ...{ address: '0x52908400098527886E0F7030069857D2E4169EE7', network: 'linea', currency: 'usdc' },
  ...{ amount: '1', txHash: `0x${'a'.repeat(64)}`, sigHash: `0x${'b'.repeat(130)}` },
  sigMessage: signedMessage(),
  token: SENT.delegationToken,
};

const ORDER = { productId: 'p', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' } as const;

function fail(): never {
  throw new Error('no such case');
}

/** Calls with different classes, credentials and secret inputs, and the inputs that each sends. */
const CALLS: Readonly<Record<string, readonly [Invoke, ...(keyof typeof SENT)[]]>> = {
  login: [
    (client) =>
      client.auth.login({
        email: 'ada@example.com',
        password: SENT.password,
        otpCode: SENT.otpCode,
      }),
    'password',
    'otpCode',
  ],
  'a read': [(client) => client.card.status()],
  'a withdrawal': [(client) => client.wallets.credit.withdraw({ amount: '1' })],
  'an order': [(client) => client.orders.create(ORDER)],
  'a proof': [(client) => client.delegation.submitEvmApproval(PROOF), 'delegationToken'],
  'a linked wallet': [
    (client) =>
      client.wallets.internal.linkToCard({
        addressId: 'a',
        currency: 'usdc',
        network: 'linea',
      } as never),
  ],
  'an endpoint of the caller': [
    (client) => call(client, strictEndpoint, { note: 'n', refreshToken: SENT.refreshToken }),
    'refreshToken',
  ],
  'a raw request with a schema that throws': [
    (client) => client.request('POST', '/v1/x', { schema: quoting, body: { otp: SENT.otpCode } }),
    'otpCode',
  ],
};

const CREDENTIALS = ['clientKey', 'clientId', 'secretKey', 'accessToken'] as const;

function causesOf(error: unknown, depth = 0): unknown[] {
  if (typeof error !== 'object' || error === null || depth > 6) return [];
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  const next = [...(cause === undefined ? [] : [cause]), ...(Array.isArray(errors) ? errors : [])];
  return [error, ...next.flatMap((one) => causesOf(one, depth + 1))];
}

/** The names of everything that can be read from a value, own or through a getter of its classes. */
function namesOf(value: object): PropertyKey[] {
  const names = new Set<PropertyKey>(Reflect.ownKeys(value));
  for (let proto = Object.getPrototypeOf(value); proto; proto = Object.getPrototypeOf(proto)) {
    if (proto === Object.prototype) break;
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
      if (get !== undefined) names.add(name);
    }
  }
  return [...names];
}

const deep = { depth: 14, showHidden: true, getters: true, maxStringLength: null } as const;

function clone(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

/** Everything that a careless program can get out of an error. */
function sinksOf(error: unknown): Record<string, string> {
  const sinks: Record<string, string> = {};
  causesOf(error).forEach((one, index) => {
    const at = index === 0 ? '' : ` of cause ${index}`;
    const value = Object(one);
    sinks[`inspect${at}`] = inspect(value, deep);
    sinks[`String${at}`] = String(value);
    sinks[`JSON${at}`] = JSON.stringify(value) ?? '';
    sinks[`spread${at}`] = inspect({ ...value }, deep) + (JSON.stringify({ ...value }) ?? '');
    sinks[`structuredClone${at}`] = inspect(clone(value), deep);
    for (const name of namesOf(value)) {
      const read: unknown = Reflect.get(value, name);
      if (typeof read === 'function') continue;
      const text =
        typeof read === 'string' ? read : `${JSON.stringify(read)}${inspect(read, deep)}`;
      sinks[`${String(name)}${at}`] = text;
      sinks[`structuredClone of ${String(name)}${at}`] = inspect(clone(read), deep);
    }
  });
  return sinks;
}

/** The spellings in which a sink must not show a secret: those that the places use. */
const spellingsOf = (secret: string) => [
  secret,
  inJson(secret),
  inJson(inJson(secret)),
  encodeURIComponent(secret),
  new URLSearchParams({ q: secret }).toString().slice(2),
  toBase64(secret),
];

function expectNoneOf(secrets: readonly string[], sinks: Record<string, string>) {
  for (const [sink, text] of Object.entries(sinks)) {
    for (const secret of secrets) {
      for (const spelling of spellingsOf(secret)) {
        expect(text.includes(spelling), `${spelling} in ${sink}: ${text.slice(0, 400)}`).toBe(
          false,
        );
      }
    }
  }
}

function clientWith(respond: () => Response | Error, options: Partial<ClientOptions> = {}) {
  const { clientKey, clientId, secretKey, accessToken } = SENT;
  return clientFor('https://api.example.com', {
    clientKey,
    clientId,
    secretKey,
    accessToken: async () => accessToken,
    retry: false,
    fetch: async () => {
      const response = respond();
      if (response instanceof Error) throw response;
      return response;
    },
    ...options,
  });
}

async function errorOf(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

/** What the caller and a middleware get from one call. */
async function errorsOf(invoke: Invoke, respond: () => Response | Error): Promise<unknown[]> {
  const seen: unknown[] = [];
  const client = clientWith(respond, {
    middleware: [
      async (_request, next) =>
        next().catch((error: unknown) => {
          seen.push(error);
          throw error;
        }),
    ],
  });
  const error = await errorOf(invoke(client));
  return error === undefined ? seen : [error, ...seen];
}

describe.each(Object.keys(RESPONSES))('errors after %s', (name) => {
  it('hold no secret that the client has or the call sent, in any place', async () => {
    const respond = RESPONSES[name];
    const calls = Object.values(CALLS);
    let errors = 0;
    // Every place once, each with the next call.
    for (const [index, place] of Object.values(PLACES).entries()) {
      const [invoke, ...inputs] = calls[(index + name.length) % calls.length] ?? [() => fail()];
      const secrets = [...CREDENTIALS, ...inputs].map((one) => SENT[one]);
      // All of them at once, in one text: its spellings contain theirs.
      const text = secrets.join(' ');
      for (const error of await errorsOf(invoke, () => respond?.(place(text), text) ?? fail())) {
        errors++;
        expect(isCardPlatformError(error)).toBe(true);
        expectNoneOf(secrets, sinksOf(error));
      }
    }
    expect(errors).toBeGreaterThan(0);
  });
});

describe('an error of a response with secrets of the service', () => {
  const issuing = (more: object) => ({
    ...ISSUED,
    data: { id: 'w', ...ISSUED },
    list: [{ deep: ISSUED }],
    message: `see ${ISSUED.apiKey}`,
    ...more,
  });
  const id = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
  const calls: readonly (readonly [string, Invoke])[] = [
    ['a rotated key', (client) => client.webhooks.rotateKey({ id })],
    ['a delegation token', (client) => client.delegation.getToken()],
    ['an image', (client) => client.card.createPinToken()],
    ['a login', (client) => client.auth.login({ email: 'a@b.co', password: 'x y z 1' })],
    ['an own endpoint', (client) => call(client, strictEndpoint, { note: 'n', refreshToken: 'r' })],
  ];
  const bodies: readonly (readonly [string, () => Response])[] = [
    ['500', () => json(issuing({}), 500)],
    ['400', () => json(issuing({}), 400)],
    ['a refusal with 200', () => json(issuing({ success: false }))],
    ['another shape', () => json([issuing({})])],
    ['a difference in strict mode', () => json(issuing({ success: 'yes', nonce: 5, imageUrl: 5 }))],
  ];

  it.each(
    calls.flatMap(([name, invoke]) => bodies.map(([what, body]) => ({ name, what, invoke, body }))),
  )('holds none of them: $name, $what', async ({ invoke, body }) => {
    const client = clientWith(body, { responseValidation: 'strict' });
    const error = await rejection(invoke(client));
    expectNoneOf(ISSUED_TEXTS, sinksOf(error));
  });
});

describe('a token that a provider replaced during the call', () => {
  it('is in no error, and neither is the new one', async () => {
    const tokens = ['CANARY-first-token', 'CANARY-second-token'] as const;
    let requests = 0;
    const echo = { message: tokens.join(' and '), headers: { authorization: tokens } };
    const client = clientWith(() => json(echo, requests++ === 0 ? 401 : 400), {
      accessToken: async ({ reason }) => tokens[reason === 'rejected' ? 1 : 0],
    });
    const error = await rejection(client.card.status());
    expect(requests).toBe(2);
    expectNoneOf(tokens, sinksOf(error));
  });

  it('is in no error that has it in words, and not under the name of a secret', async () => {
    const tokens = ['CANARY-first-token', 'CANARY-second-token'] as const;
    let requests = 0;
    const client = clientWith(
      () => json({ message: `sent ${tokens.join(' and ')}` }, requests++ === 0 ? 401 : 400),
      { accessToken: async ({ reason }) => tokens[reason === 'rejected' ? 1 : 0] },
    );
    const error = await rejection(client.card.status());
    expect(error).toMatchObject({ status: 400, serverMessage: 'sent [redacted] and [redacted]' });
    expectNoneOf(tokens, sinksOf(error));
  });
});

describe('the error of a page', () => {
  const secrets = CREDENTIALS.map((name) => SENT[name]);
  const text = secrets.join(' ');

  it.each(Object.keys(RESPONSES))('holds no secret of the server after %s', async (response) => {
    const place = Object.values(PLACES)[response.length % Object.keys(PLACES).length];
    const server = clientWith(() => RESPONSES[response]?.(place?.(text) ?? {}, text) ?? fail());
    const error = await errorOf(server.orders.create(ORDER));
    const page = pageClient(async () => createErrorResponse(error));
    const seen = await rejection(page.request('POST', '/session', { body: {} }));
    expectNoneOf(secrets, sinksOf(seen));
  });
});

describe('the error of a wait', () => {
  it('holds the last value without secrets, and the program still reads them', async () => {
    const { clientKey, accessToken } = SENT;
    const echo = { headers: { authorization: `Bearer ${accessToken}` }, note: clientKey };
    const card = { id: 'c', status: 'PENDING', ...ISSUED, data: [{ ...ISSUED }], echo };
    const client = clientWith(() => json(card), { clock: new FakeClock() });
    const read: unknown[] = [];
    const error = await rejection(
      client.card.waitUntilActive({ timeout: 3_000, onProgress: (value) => read.push(value) }),
    );
    expect(error).toMatchObject({
      name: 'PollingTimeoutError',
      lastValue: { id: 'c', status: 'PENDING', apiKey: '[redacted]' },
    });
    expectNoneOf([...CREDENTIALS.map((name) => SENT[name]), ...ISSUED_TEXTS], sinksOf(error));
    expect(read[0]).toMatchObject({ status: 'PENDING', apiKey: ISSUED.apiKey });
  });
});

describe('a secret that the service issues', () => {
  it('is in the result, where the program needs it', async () => {
    const secret = 'whsec_CANARY-rotated-key-14';
    const id = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
    const client = clientWith(() => json({ success: true, data: { id, apiKey: secret } }));
    expect(await client.webhooks.rotateKey({ id })).toMatchObject({
      data: { apiKey: secret },
    });
  });
});

describe('what an error keeps', () => {
  it('is everything but the secrets: an own closed value that equals a secret stays', async () => {
    const body = { message: 'rejected', code: 'rejected', evidence: 1 };
    const client = clientWith(() => json(body, 400));
    const error = await rejection(client.auth.login({ email: 'a@b.co', password: 'rejected' }));
    expect(error).toMatchObject({
      outcome: 'rejected',
      code: 'bad_request',
      serverMessage: '[redacted]',
      body: { message: '[redacted]', evidence: 1 },
    });
  });

  it('is no secret that is repeated as a number, or that lies very deep', async () => {
    let deep: object = { password: [{ pin: 1_234, text: 'CANARY-deep-20' }] };
    for (let depth = 0; depth < 40; depth++) deep = { password: deep };
    const accessToken = '8192736455';
    const body = { list: [Number(accessToken), 17], deep, password: { attempt: 76_543 } };
    const client = clientWith(() => json(body, 400), { accessToken });
    const error = await rejection(client.wallets.credit.get());
    expect(error).toMatchObject({ body: { list: ['[redacted]', 17] } });
    expectNoneOf([accessToken, 'CANARY-deep-20', '1234', '76543'], sinksOf(error));
  });

  it('is the name, message and code of a cause, whatever else a foreign error does', async () => {
    const hostile = Object.defineProperty(new Error('unread'), 'message', {
      get() {
        throw new Error(SENT.clientKey);
      },
    });
    let cause: unknown = 'as text: refused';
    for (let depth = 0; depth < 9; depth++)
      cause = Object.assign(new Error(`depth ${depth}`), { cause });
    const errors = [hostile, 5, { message: 7, stack: 8, code: 'ECONNRESET' }, 'text'];
    const failure = Object.assign(new AggregateError(errors, 'all failed'), { cause });
    const client = clientWith(() => json({}), {
      journal: createJournal({
        store: {
          get: () => undefined,
          set: () => Promise.reject(failure),
          delete: () => Promise.reject(failure),
          update: () => Promise.reject(failure),
        },
      }),
    });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({
      code: 'journal_failed',
      cause: {
        message: 'all failed',
        cause: { message: 'depth 8', cause: { message: 'depth 7' } },
        errors: [{ message: '' }, undefined, { message: '', code: 'ECONNRESET' }, 'text'],
      },
    });
    expectNoneOf([SENT.clientKey, 'depth 1'], sinksOf(error));
  });

  it('is the evidence that the service acted, whatever its name', async () => {
    const signature = '5'.repeat(88);
    const client = clientWith(() => json({ success: false, signature }));
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ evidence: { signature } });
  });

  it('is the message and the causes of a store that failed, without secrets', async () => {
    const failure = new AggregateError(
      [new Error('connect ECONNREFUSED 127.0.0.1')],
      `redis failed for ${SENT.clientKey}`,
    );
    const fail = () => Promise.reject(failure);
    const store = { get: () => undefined, set: fail, delete: fail, update: fail };
    const client = clientWith(() => json({ success: true }), { journal: createJournal({ store }) });
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ code: 'journal_failed' });
    expectNoneOf([SENT.clientKey], sinksOf(error));
    expect(inspect(error, deep)).toContain('redis failed for [redacted]');
    expect(inspect(error, deep)).toContain('connect ECONNREFUSED 127.0.0.1');
  });
});
