import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import {
  CardPlatformClient,
  CardPlatformError,
  ConfigurationError,
  isApiError,
  isCardPlatformError,
} from '../../src/index.js';
import { createJournal } from '../../src/journal/index.js';
import { memoryStore } from '../../src/stores/index.js';
import { selfSignedCertificate } from '../faults/certificate.js';
import {
  CREDENTIALS,
  clientFor,
  clientReceiving,
  fetchFailure,
  json,
  rejection,
  scriptedFetch,
} from '../support/clients.js';

const BASE_URL = 'https://api.example.com';

async function messageOf(call: PromiseLike<unknown>): Promise<string> {
  const error = await rejection(call);
  if (!(error instanceof Error)) throw new Error('the call was expected to fail');
  return error.message;
}

describe('the message of an error', () => {
  it('after a refusal quotes the service and says that nothing was done', async () => {
    const call = clientReceiving(json({ message: 'Card is already frozen' }, 400)).card.freeze();
    expect(await messageOf(call)).toBe(
      'card.freeze: the service responded with 400: "Card is already frozen". The service refused it, so nothing was done.',
    );
  });

  it('after a 500 says that the service may have acted', async () => {
    const call = clientReceiving(json({}, 500)).wallets.credit.withdraw({ amount: '1' });
    expect(await messageOf(call)).toBe(
      'wallets.credit.withdraw: the service responded with 500. Money may have moved: do not send it again. Look for the debit in the history: if it is missing, it may still appear. A client with a journal looks it up.',
    );
  });

  it('with a journal sends the reader there, and to nothing else', async () => {
    const lost = {
      fetch: async () => json({}, 500),
      journal: createJournal({ store: memoryStore() }),
    };
    const client = clientFor(BASE_URL, lost);
    expect(await messageOf(client.wallets.credit.withdraw({ amount: '1' }))).toMatch(
      /500\. Money may have moved: do not send it again\. journal\.recover of this client looks up what became of it\.$/,
    );
    expect(await messageOf(client.card.order())).toMatch(
      /500\. The service may have acted on it: do not send it again\. journal\.recover of this client looks/,
    );
    const store = memoryStore();
    const full = { ...store, update: () => Promise.reject(new Error('the disk is full')) };
    const journal = createJournal({ store: full, onStoreFailure: 'send' });
    const without = clientFor(BASE_URL, { ...lost, journal });
    expect(await messageOf(without.card.order())).toMatch(/check the current state before/);
    const unclear = { ...lost, fetch: async () => json({ message: 'We will see' }) };
    expect(await messageOf(clientFor(BASE_URL, unclear).card.order())).toContain(
      'recover of this client looks',
    );
  });

  it.each([
    {},
    { journal: createJournal({ store: memoryStore() }) },
  ])('after a login whose response is lost asks for another login', async (options) => {
    const client = clientFor(BASE_URL, { fetch: async () => json({}, 502), ...options });
    const error = await rejection(
      client.auth.login({ email: 'ada@example.com', password: 'secret' }),
    );
    expect(error).toMatchObject({ outcome: 'unknown', next: 'log_in', isRetryable: false });
    expect(String(error)).toMatch(/Log in again, with a new one-time password if there was one\.$/);
  });

  it('after a connection that could not be made says what to check', async () => {
    const sockets = new Set<Socket>();
    const plain = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    const untrusted = createTlsServer(selfSignedCertificate('messages'));
    untrusted.on('connection', (socket: Socket) => sockets.add(socket));
    const listen = async (server: Server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    };
    const [plainPort, tlsPort] = [await listen(plain), await listen(untrusted)];
    const messageAt = (baseUrl: string) =>
      messageOf(new CardPlatformClient({ baseUrl, ...CREDENTIALS, retry: false }).card.status());
    try {
      expect(await messageAt(`https://127.0.0.1:${tlsPort}`)).toMatch(
        /\(DEPTH_ZERO_SELF_SIGNED_CERT\)\. This machine does not trust the certificate/,
      );
      expect(await messageAt(`https://127.0.0.1:${plainPort}`)).toContain(
        'Check that the port in baseUrl is for https.',
      );
    } finally {
      for (const socket of sockets) socket.destroy();
      await Promise.all([plain, untrusted].map((each) => new Promise((end) => each.close(end))));
    }
    expect(await messageAt(`http://127.0.0.1:${plainPort}`)).toMatch(
      /\(ECONNREFUSED\)\. Check baseUrl, and that the server is running\./,
    );
  });

  const AUTHORITIES =
    'This machine does not trust the certificate of the server. Node reads further authorities from the file in NODE_EXTRA_CA_CERTS.';
  it.each([
    ['ENOTFOUND', 'getaddrinfo', 'Check the host in baseUrl, and the network.'],
    ['EAI_AGAIN', 'getaddrinfo', 'Check the host in baseUrl, and the network.'],
    ['ECONNREFUSED', 'connect', 'Check baseUrl, and that the server is running.'],
    ['CERT_HAS_EXPIRED', undefined, 'The certificate of the server has expired.'],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      undefined,
      'The certificate of the server is for another host: check baseUrl.',
    ],
    [
      'HOSTNAME_MISMATCH',
      undefined,
      'The certificate of the server is for another host: check baseUrl.',
    ],
    ['SELF_SIGNED_CERT_IN_CHAIN', undefined, AUTHORITIES],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', undefined, AUTHORITIES],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', undefined, AUTHORITIES],
    ['CERT_NOT_YET_VALID', undefined, ''],
    ['ETIMEDOUT', 'connect', ''],
  ])('after a connection that failed with %s says what to check', async (code, syscall, advice) => {
    const fetch = () => Promise.reject(fetchFailure(code, syscall));
    const error = await rejection(clientFor(BASE_URL, { fetch, retry: false }).card.freeze());
    expect(error).toMatchObject({ outcome: 'not_sent' });
    const kind = syscall === undefined ? 'TLS connection' : 'connection';
    expect((error as Error).message).toContain(
      `the ${kind} to ${BASE_URL} could not be made (${code}).${advice && ` ${advice}`} Nothing reached the service`,
    );
  });

  it('after a connection that failed later says so, with no advice on how to connect', async () => {
    const fetch = () => Promise.reject(fetchFailure('EPROTO', 'write'));
    const call = clientFor(BASE_URL, { fetch, retry: false }).card.freeze();
    expect(await messageOf(call)).toContain(
      `the connection to ${BASE_URL} failed (EPROTO). The service may have acted on it`,
    );
  });

  it.each([
    ['nothing was done', (client: CardPlatformClient) => client.card.freeze()],
    [
      'no money moved',
      (client: CardPlatformClient) => client.wallets.credit.withdraw({ amount: '1' }),
    ],
  ])('after a refused token and a connection that failed says that %s before', async (effect, call) => {
    const expired = json({ message: 'Not authenticated' }, 401);
    for (const [code, syscall] of [['ECONNREFUSED', 'connect'], ['CERT_HAS_EXPIRED']] as const) {
      const { fetch } = scriptedFetch(expired, fetchFailure(code, syscall));
      const error = await rejection(
        call(clientFor(BASE_URL, { fetch, accessToken: ({ reason }) => `token-after-${reason}` })),
      );
      expect(error).toMatchObject({ outcome: 'rejected' });
      expect(String(error)).toContain(`could not be made (${code})`);
      expect(
        String(error).endsWith(` The service had already refused the call, so ${effect}.`),
      ).toBe(true);
    }
  });

  it('after a refusal, when no time is left to try again, is that of the refusal', async () => {
    const { fetch } = scriptedFetch(json({ message: 'slow down' }, 429, { 'retry-after': '2' }));
    expect(await messageOf(clientFor(BASE_URL, { fetch, totalTimeout: 1_000 }).card.freeze())).toBe(
      'card.freeze: the service responded with 429: "slow down". The service refused it, so nothing was done. Wait before you try again: for error.retryAfterMs, if the service said how long.',
    );
  });

  it('after a success that is not usable advises against sending it again', async () => {
    const call = clientReceiving(json({ success: true })).wallets.credit.withdraw({ amount: '1' });
    expect(await messageOf(call)).toMatch(
      /^wallets\.credit\.withdraw: .* Money moved: do not send it again\.$/,
    );
  });

  it('after words that are no documented success quotes them and advises to check', async () => {
    const said = clientReceiving(json({ message: 'We will see' }));
    expect(await messageOf(said.wallets.credit.withdraw({ amount: '1' }))).toMatch(
      /^wallets\.credit\.withdraw: .* It says "We will see"\. Money may have moved: do not send it again/,
    );
  });

  it('after a failed read says that reading again is safe only where it may help', async () => {
    const messageAfter = (body: unknown, status: number) =>
      messageOf(clientReceiving(json(body, status)).card.status());
    const again = / The call only reads, so reading again is safe\.$/;
    const unchanged = / Nothing was changed: the call only reads\./;
    expect(await messageAfter({}, 500)).toMatch(again);
    expect(await messageAfter({ message: 'slow down' }, 429)).toMatch(
      /reading again is safe\. Wait before you try again: for error\.retryAfterMs, if/,
    );
    const lost = clientFor(BASE_URL, { fetch: () => Promise.reject('x'), retry: false });
    expect(await messageOf(lost.card.status())).toMatch(again);
    expect(await messageAfter([], 200)).toMatch(unchanged);
    expect(await messageAfter('<html>', 200)).toMatch(unchanged);
    expect(await messageAfter({ message: 'no' }, 404)).toMatch(unchanged);
  });

  it('after a refused token, key or permission says who must act, not that reading again is safe', async () => {
    const messageAfter = (status: number) =>
      messageOf(clientReceiving(json({ message: 'no' }, status)).card.status());
    expect(await messageAfter(401)).toMatch(/"no"\. Log in again\.$/);
    expect(await messageAfter(403)).toMatch(
      /only reads\. This user or this client may not do it\.$/,
    );
    expect(await messageAfter(498)).toMatch(/only reads\. Check the client key\.$/);
    expect(await messageAfter(499)).toMatch(/only reads\. Set the client key\.$/);
    const refused = clientReceiving(json({ message: 'no' }, 401)).card.freeze();
    expect(await messageOf(refused)).toMatch(/so nothing was done\. Log in again\.$/);
  });

  it('after a 404 says that the user has no card only if the service says so', async () => {
    const after404 = (message: string) =>
      rejection(clientReceiving(json({ message }, 404)).card.status());
    expect(await after404('Card not found')).toMatchObject({ code: 'card_not_found' });
    for (const words of ['Not Found', 'not found.', 'Page not found']) {
      const error = await after404(words);
      expect(error).toMatchObject({ code: 'not_found' });
      expect(String(error)).not.toContain('has no card');
    }
  });

  it('after an invalid input says that nothing reached the service', async () => {
    const call = clientReceiving(json({}, 200)).wallets.credit.withdraw({ amount: '-1' });
    expect(await messageOf(call)).toMatch(
      /^wallets\.credit\.withdraw: .*amount.* Nothing reached the service, so no money moved\.$/,
    );
  });

  it('outside a call does not mention the service', () => {
    const make = () => new CardPlatformClient({ baseUrl: 'nowhere' });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(
      expect.objectContaining({ code: 'configuration_invalid', operation: undefined, attempts: 0 }),
    );
    expect(make).not.toThrow(/Nothing reached the service/);
  });
});

describe('an error', () => {
  const plain = new CardPlatformError({
    message: 'it broke.',
    code: 'api_error',
    outcome: 'unknown',
  });

  it('has the name of its class, and a cause only when there is one', async () => {
    expect(plain.name).toBe('CardPlatformError');
    expect(plain.message).toBe('it broke.');
    expect('cause' in plain).toBe(false);
    const { name } = (await rejection(clientReceiving(json({}, 404)).card.status())) as Error;
    expect(name).toBe('NotFoundError');
  });

  it('has the address of its documentation, and its facts as plain data', () => {
    expect(plain.docsUrl).toMatch(/^https:\/\/.*\/error-catalogue\.md#api_error$/);
    expect(plain.toJSON()).toEqual({
      name: 'CardPlatformError',
      code: 'api_error',
      message: 'it broke.',
      operation: undefined,
      outcome: 'unknown',
      next: 'look_up',
      attempts: 0,
      isRetryable: false,
      docsUrl: plain.docsUrl,
    });
  });

  it('leaves body, headers and details of a response out of JSON: a log must not have them', async () => {
    const body = {
      message: 'slow down',
      code: 'SLOW',
      details: ['canary-in-details'],
      extra: { note: 'canary-in-body' },
    };
    const client = clientReceiving(
      json(body, 429, { 'x-note': 'canary-in-header', 'retry-after': '7' }),
    );
    const error = (await rejection(client.card.status())) as CardPlatformError;
    // They are there for code, and only there.
    expect(JSON.stringify(Object(error).body)).toContain('canary-in-body');
    expect(JSON.stringify(Object(error).headers)).toContain('canary-in-header');
    expect(Object.keys(error.toJSON()).sort()).toEqual([
      'attempts',
      'code',
      'docsUrl',
      'fieldErrors',
      'isRetryable',
      'message',
      'name',
      'next',
      'operation',
      'outcome',
      'requestId',
      'retryAfterMs',
      'serverCode',
      'status',
    ]);
    expect(JSON.stringify(error)).not.toContain('canary');
  });

  it('serialises the probable outcome and the wait when they are known', async () => {
    const facts = { message: 'it broke.', code: 'api_error', outcome: 'unknown' } as const;
    const likely = new CardPlatformError({ ...facts, probableOutcome: 'executed' });
    expect(likely.toJSON()).toMatchObject({ outcome: 'unknown', probableOutcome: 'executed' });
    expect(plain.toJSON()).not.toHaveProperty('probableOutcome');
    const rateLimitError = (headers: Record<string, string>) =>
      rejection(clientReceiving(json({ message: 'slow down' }, 429, headers)).card.status());
    const limited = (await rateLimitError({ 'retry-after': '7' })) as CardPlatformError;
    expect(limited.toJSON()).toMatchObject({ status: 429, retryAfterMs: 7_000 });
    const unlimited = (await rateLimitError({})) as CardPlatformError;
    expect(unlimited.toJSON()).not.toHaveProperty('retryAfterMs');
  });

  it('is recognised by a mark that is hidden and read-only', () => {
    const mark = Symbol.for('card-platform-sdk.error');
    expect(isCardPlatformError(plain)).toBe(true);
    expect(Object.getOwnPropertyDescriptor(plain, mark)).toMatchObject({
      value: true,
      enumerable: false,
      writable: false,
    });
    for (const other of [new Error('x'), null, undefined, 'x', {}]) {
      expect(isCardPlatformError(other)).toBe(false);
      expect(isApiError(other)).toBe(false);
    }
    expect(isApiError(plain)).toBe(false);
    const hostile = new Proxy(
      {},
      {
        has: () => {
          throw new Error('no');
        },
      },
    );
    expect([isCardPlatformError(hostile), isApiError(hostile)]).toEqual([false, false]);
  });

  it.each<[string, Response]>([
    ['cannot be used', json({ success: 'maybe' })],
    ['is a page of something in between', new Response('<html>')],
    ['is a redirect', new Response(null, { status: 307, headers: { location: '/login' } })],
    ['says success: false', json({ success: false, message: 'No' })],
  ])('is no error response of the service where the response %s', async (_, response) => {
    const error = await rejection(
      clientReceiving(response).wallets.credit.withdraw({ amount: '1' }),
    );
    expect(error).toHaveProperty('status');
    expect([isCardPlatformError(error), isApiError(error)]).toEqual([true, false]);
  });
});
