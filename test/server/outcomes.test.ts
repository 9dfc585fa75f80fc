import { describe, expect, it } from 'vitest';
import type { CardPlatformClient } from '../../src/client.js';
import { isCardPlatformError, nextStepOf, type Outcome, outcomeOf } from '../../src/index.js';
import { createErrorResponse } from '../../src/server/index.js';
import { SAMPLE_CALLS } from '../support/calls.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { OWN_PAGE, pageClient, SESSION_TOKEN, scriptedProxy, sendTo } from './support.js';

const HTML = () =>
  new Response('<h1>Bad gateway</h1>', { headers: { 'content-type': 'text/html' } });
const refusedConnection = Object.assign(new TypeError('fetch failed'), {
  cause: Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' }),
});
const brokenConnection = Object.assign(new TypeError('fetch failed'), {
  cause: Object.assign(new Error(), { code: 'ECONNRESET', syscall: 'read' }),
});

/** The possible behaviour of the service, as a direct client sees it. */
const FAULTS: readonly (readonly [what: string, respond: () => Response | Error])[] = [
  ['refuses the connection', () => refusedConnection],
  ['resets the connection', () => brokenConnection],
  ...[400, 401, 403, 404, 409, 422, 429, 498, 499, 418, 407, 408, 421, 425, 500, 502, 503, 504].map(
    (status) =>
      [`responds with ${status} and a message`, () => json({ message: 'No.' }, status)] as const,
  ),
  ['responds with 403 and a page of HTML', () => new Response(HTML().body, { status: 403 })],
  ['responds with 502 and a page of HTML', () => new Response(HTML().body, { status: 502 })],
  ['responds with 200 and a page of HTML', HTML],
  ['responds with 200 and broken JSON', () => json('{"success":')],
  ['responds with a redirect', () => new Response(null, { status: 302 })],
  ['responds with success: false', () => json({ success: false, message: 'Not today.' })],
  [
    'responds with success: false and a transaction hash',
    () => json({ success: false, txHash: `0x${'ab'.repeat(32)}` }),
  ],
  [
    'responds with 500 and a transaction hash',
    () => json({ message: 'Oops', txHash: `0x${'ab'.repeat(32)}` }, 500),
  ],
];

const WITHDRAW = (client: CardPlatformClient) => client.wallets.credit.withdraw({ amount: '1' });
const CALLS: readonly (readonly [string, (client: CardPlatformClient) => PromiseLike<unknown>])[] =
  [
    ['a read', (client) => client.card.status()],
    ['a withdrawal', WITHDRAW],
    ['an idempotent command', (client) => client.card.freeze()],
    ['a request for a token', (client) => client.card.createPinToken()],
  ];

const RESULT = { outcome: 'a result', probableOutcome: undefined };

function factsOf(error: unknown) {
  if (!isCardPlatformError(error)) throw error;
  const { outcome, probableOutcome } = error;
  return { outcome, probableOutcome };
}

describe.each(CALLS)('%s through the proxy', (_, call) => {
  it.each(
    FAULTS,
  )('has the outcome of a direct call when the service %s', async (_fault, respond) => {
    const { fetch } = scriptedFetch(respond());
    const direct = clientFor('https://api.example.com', { fetch, retry: { baseDelay: 0 } });
    const expected = await Promise.resolve(call(direct)).then(() => RESULT, factsOf);
    const { page } = scriptedProxy([respond()]);
    const actual = await Promise.resolve(call(page)).then(() => RESULT, factsOf);
    expect(actual.outcome).toBe(expected.outcome);
    // With evidence of execution next to a refusal, the error of the page holds a little more. What
    // a success suggests does not travel.
    const travels = ![undefined, 'executed'].includes(expected.probableOutcome);
    if (travels) expect(actual).toEqual(expected);
  });
});

it('a rate limit that outlasts the time of the proxy reaches the page as one', async () => {
  const { page, failures } = scriptedProxy([
    json({ message: 'No.' }, 429, { 'retry-after': '15' }),
  ]);
  expect(await rejection(page.card.status())).toMatchObject({
    ...{ name: 'RateLimitError', code: 'rate_limited', status: 429 },
    ...{ outcome: 'rejected', next: 'retry', retryAfterMs: 15_000 },
  });
  expect(failures).toMatchObject([{ status: 429, outcome: 'rejected' }]);
});

describe('a refusal of which the page reads only the status', () => {
  const breaksOff = (status: number) => {
    const body = new ReadableStream({ pull: (stream) => stream.error(brokenConnection) });
    return new Response(body, { status });
  };
  const stalls = (status: number) => new Response(new ReadableStream(), { status });
  const pageThatGets = (response: Response) =>
    pageClient(async () => response, { retry: false, timeout: 20 });
  const commands = CALLS.filter(([what]) => what !== 'a read');

  it.each(
    commands,
  )('proves nothing about %s: an earlier request may have been done', async (_, call) => {
    const error = await rejection(call(pageThatGets(breaksOff(429))));
    expect(error).toMatchObject({ code: 'body_unreadable', status: 429, outcome: 'unknown' });
  });

  it.each(commands)('proves nothing about %s whose time is over', async (_, call) => {
    const error = await rejection(call(pageThatGets(stalls(429))));
    expect(error).toMatchObject({ code: 'timeout', outcome: 'unknown' });
  });

  it('proves nothing about a command that is aborted', async () => {
    const controller = new AbortController();
    const body = new ReadableStream({ pull: () => controller.abort() }, { highWaterMark: 0 });
    const page = pageThatGets(new Response(body, { status: 429 }));
    const error = await rejection(page.card.freeze({ signal: controller.signal }));
    expect(outcomeOf(error)).toBe('unknown');
  });

  it('still means that a read did nothing', async () => {
    const page = pageThatGets(breaksOff(429));
    expect(await rejection(page.card.status())).toMatchObject({ outcome: 'rejected' });
  });

  it('is a refusal of a command without a proxy, because it was sent once', async () => {
    const { fetch } = scriptedFetch(breaksOff(429));
    const direct = clientFor('https://api.example.com', { fetch, retry: false });
    expect(await rejection(direct.card.freeze())).toMatchObject({ outcome: 'rejected' });
  });
});

describe('the statuses that a page gets', () => {
  it.each([
    400, 401, 403, 404, 409, 422, 429, 498, 499,
  ])('include %i of the service, as the same class of error with its message', async (status) => {
    const response = () => json({ message: 'Card not found', code: 'E7' }, status);
    const { fetch } = scriptedFetch(response());
    const direct = await rejection(
      clientFor('https://api.example.com', { fetch, retry: false }).card.status(),
    );
    const { page } = scriptedProxy([response()], {}, { retry: false });
    const error = await rejection(page.card.status());
    const facts = ['name', 'code', 'status', 'serverMessage', 'serverCode', 'outcome'] as const;
    for (const fact of facts) {
      expect(Reflect.get(Object(error), fact)).toBe(Reflect.get(Object(direct), fact));
    }
  });

  it('do not include those after which a browser sends a request again', async () => {
    for (const status of [407, 408, 421, 425]) {
      const { proxy } = scriptedProxy([json({ message: 'Again' }, status)], {}, { retry: false });
      const response = await sendTo(proxy, 'GET', '/v1/card/status');
      expect([400, 502, 503]).toContain(response.status);
    }
  });

  it('pass on the clock of the service, unless a cache repeats it', async () => {
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
    for (const [headers, expected] of [
      [{ date }, date],
      [{ date, age: '5' }, null],
      [{}, null],
    ] as const) {
      const { proxy } = scriptedProxy([json({ message: 'Card not found' }, 404, headers)]);
      const response = await sendTo(proxy, 'GET', '/v1/card/status');
      expect(response.headers.get('x-card-platform-date')).toBe(expected);
    }
  });

  it('pass on how long to wait', async () => {
    const { page } = scriptedProxy([json({ message: 'Slow' }, 429, { 'retry-after': '40' })]);
    expect(await rejection(page.card.status())).toMatchObject({ retryAfterMs: 40_000 });
  });
});

describe('a failed call through the proxy', () => {
  it('is not_sent when the proxy could not reach the service, and is not sent again', async () => {
    const { page, proxy, requests, failures } = scriptedProxy([refusedConnection]);
    const error = await rejection(WITHDRAW(page));
    expect(error).toMatchObject({ outcome: 'not_sent', isRetryable: true, attempts: 1 });
    // The proxy tried again, because nothing had been sent. The page did not.
    expect(requests.length).toBe(3);
    expect(failures).toMatchObject([{ outcome: 'not_sent', status: 503, reason: 'call_failed' }]);
    const body = JSON.stringify({ amount: '1' });
    const init = { body, headers: { 'content-type': 'application/json' } };
    const response = await sendTo(proxy, 'POST', '/v1/wallet/credit/withdraw', init);
    expect(response.headers.get('x-card-platform-outcome')).toBe('not_sent');
  });

  it('is retried by the proxy and not once more by the page', async () => {
    const { page, requests } = scriptedProxy([json({ message: 'Busy' }, 503)]);
    await rejection(page.card.status());
    expect(requests.length).toBe(3);
  });

  it.each([
    ['card.status', (page: CardPlatformClient) => page.card.status(), [null, null]],
    ['card.freeze', (page: CardPlatformClient) => page.card.freeze(), ['10000', '10000']],
  ] as const)('%s is sent with the time that the proxy has for it, if there is a limit', async (_, call, times) => {
    const { proxy } = scriptedProxy([json({ success: true, id: 'c', status: 'ACTIVE' })]);
    const left: (string | null)[] = [];
    const page = pageClient(proxy, {
      fetch: async (url, init) => {
        const headers = new Headers({ ...Object(init.headers), ...OWN_PAGE });
        left.push(headers.get('x-card-platform-time-left'));
        // Nothing has arrived, so the time has not begun.
        if (left.length === 1) throw refusedConnection;
        return proxy(new Request(url, { ...init, headers }));
      },
    });
    await call(page);
    expect(left).toEqual(times);
  });

  it.each([
    ['-1', 400],
    ['1.5', 400],
    ['', 400],
    ['0', 503],
    ['5000', 200],
    ['2147483647', 200],
  ])('is %s milliseconds of time left: status %i', async (left, status) => {
    const { proxy, requests } = scriptedProxy([json({ success: true })]);
    const headers = { 'x-card-platform-time-left': left };
    const response = await sendTo(proxy, 'POST', '/v1/card/freeze', { headers });
    expect(response.status).toBe(status);
    expect(requests).toHaveLength(status === 200 ? 1 : 0);
  });

  it('has the step of its own call where two calls of the page fail with the same error', async () => {
    const failure = new Error('the refresh token is gone');
    const accessToken = async ({ reason }: { reason: string }) => {
      if (reason === 'rejected') throw failure;
      return SESSION_TOKEN;
    };
    const { page } = scriptedProxy([json({ message: 'Unauthorized' }, 401)], {
      session: () => ({ accessToken }),
    });
    const [read, withdrawal] = await Promise.all([
      rejection(page.card.status()),
      rejection(WITHDRAW(page)),
    ]);
    expect(withdrawal).toMatchObject({ outcome: 'rejected', next: 'show_user' });
    expect(read).toMatchObject({ outcome: 'rejected', next: 'retry' });
  });

  it('shows the time of the service in an error, and not that of another server', async () => {
    const date = 'Tue, 03 Mar 2026 10:00:00 GMT';
    const refused = () => json({ message: 'Card not found' }, 404, { date });
    const own = await sendTo(scriptedProxy([refused()]).proxy, 'GET', '/v1/card/status');
    expect(own.headers.get('x-card-platform-date')).toBe(date);
    const other = clientFor('https://id.example', { fetch: scriptedFetch(refused()).fetch });
    const accessToken = async () => (await other.user.get()).id ?? '';
    const session = () => ({ accessToken });
    const { proxy } = scriptedProxy([json({})], { session });
    const foreign = await sendTo(proxy, 'GET', '/v1/card/status');
    expect([foreign.status, foreign.headers.get('x-card-platform-date')]).toEqual([404, null]);
  });

  it('hides the text of a server error from the page, and shows it to the log', async () => {
    const { page, failures } = scriptedProxy([json({ message: 'db-7 is down' }, 500)]);
    const error = await rejection(page.card.status());
    expect(JSON.stringify([error, Object(error).serverMessage])).not.toContain('db-7');
    expect(failures).toMatchObject([{ error: { serverMessage: 'db-7 is down' } }]);
  });

  it('is a success when the refusal of a retry shows that the first request was done', async () => {
    const { page } = scriptedProxy([
      brokenConnection,
      json({ message: 'Card is already frozen' }, 400),
    ]);
    expect(await page.card.freeze()).toEqual({ resolvedByRetry: true });
  });
});

describe('the next step in the page', () => {
  const STEPS = [
    ['a read', 'retry'],
    ['a withdrawal', 'show_user'],
    ['an idempotent command', 'show_user'],
    ['a request for a token', 'show_user'],
  ] as const;

  it.each(
    STEPS,
  )('after an error of your own token provider is that of the server: %s', async (what, step) => {
    const accessToken = ({ reason }: { reason: string }) => {
      if (reason === 'rejected') throw new Error('no refresh token');
      return SESSION_TOKEN;
    };
    const { page, failures } = scriptedProxy([json({ message: 'Not authenticated' }, 401)], {
      session: () => ({ accessToken }),
    });
    const [, call] = CALLS.find(([name]) => name === what) ?? [];
    const error = await rejection(call?.(page) ?? Promise.resolve());
    expect(failures).toMatchObject([
      { outcome: 'rejected', error: { message: 'no refresh token' } },
    ]);
    expect(nextStepOf(failures[0]?.error)).toBe(step);
    expect(error).toMatchObject({
      outcome: 'rejected',
      next: step,
      isRetryable: step === 'retry',
    });
  });

  it.each(CALLS)('is log_in after a login of the session was lost: %s', async (_, call) => {
    const { fetch } = scriptedFetch(brokenConnection);
    const server = clientFor('https://api.example.com', { fetch });
    const accessToken = async () =>
      (await server.auth.login({ email: 'a@b.co', password: 'x' })).accessToken ?? '';
    const { page, failures, requests } = scriptedProxy([json({})], {
      session: () => ({ accessToken }),
    });
    const error = await rejection(call(page));
    expect(requests).toEqual([]);
    expect(failures).toMatchObject([{ error: { next: 'log_in' } }]);
    expect(error).toMatchObject({ next: 'log_in', isRetryable: false });
    expect(String(error)).toContain('Log in again.');
  });

  it('is log_in after the login route has lost its login', async () => {
    const { fetch } = scriptedFetch(brokenConnection);
    const server = clientFor('https://api.example.com', { fetch });
    const lost = await rejection(server.auth.login({ email: 'a@b.co', password: 'x' }));
    expect(lost).toMatchObject({ outcome: 'unknown', next: 'log_in' });
    const page = pageClient(async () => createErrorResponse(lost));
    const error = await rejection(page.request('POST', '/session', { body: {} }));
    expect(error).toMatchObject({ outcome: 'unknown', next: 'log_in', isRetryable: false });
    expect(String(error)).toContain('Nobody knows whether the login was counted. Log in again');
  });

  it('after any other error of your own follows from the call of the page', async () => {
    const page = pageClient(async () => createErrorResponse(new Error('no such table')), {
      retry: false,
    });
    expect(await rejection(page.card.status())).toMatchObject({ next: 'retry' });
    expect(await rejection(WITHDRAW(page))).toMatchObject({ outcome: 'unknown', next: 'look_up' });
  });
});

it('a page with a longer timeout and totalTimeout gets the outcome of a slow proxy', async () => {
  const slow = async (options: object) => {
    const clock = new FakeClock();
    const refused = () => json({ message: 'No.' }, 400, { 'x-card-platform-outcome': 'rejected' });
    const fetch = () =>
      new Promise<Response>((resolve) => clock.schedule(() => resolve(refused()), 70_000));
    return rejection(WITHDRAW(pageClient(() => Promise.reject(), { clock, fetch, ...options })));
  };
  const timeout = 123_000;
  expect(await slow({ timeout, totalTimeout: timeout })).toMatchObject({ outcome: 'rejected' });
  // The whole call ends after 60 s.
  expect(await slow({ timeout })).toMatchObject({ outcome: 'unknown', code: 'timeout' });
});

describe('the outcome header', () => {
  const forged = (outcome: string) =>
    json({ message: 'No.' }, 502, { 'x-card-platform-outcome': outcome });

  it('means nothing to a client without throughProxy', async () => {
    const { fetch } = scriptedFetch(forged('not_sent'));
    const client = clientFor('https://api.example.com', { fetch });
    expect(outcomeOf(await rejection(WITHDRAW(client)))).toBe('unknown');
  });

  it.each<Outcome>([
    'not_sent',
    'rejected',
    'unknown',
    'executed',
  ])('never makes a client send a withdrawal again: %s', async (outcome) => {
    const { fetch, requests } = scriptedFetch(forged(outcome));
    const error = await rejection(WITHDRAW(pageClient(() => Promise.reject(), { fetch })));
    expect(outcomeOf(error)).toBe(outcome);
    expect(requests.length).toBe(1);
  });

  it.each([
    '',
    'NOT_SENT',
    'not_sent, unknown',
    'done',
  ])('leaves the outcome unknown where it holds %j', async (value) => {
    const { fetch } = scriptedFetch(forged(value));
    const error = await rejection(WITHDRAW(pageClient(() => Promise.reject(), { fetch })));
    expect(outcomeOf(error)).toBe('unknown');
  });

  it('is not taken over from the service', async () => {
    const { page } = scriptedProxy([forged('not_sent')], {}, { retry: false });
    expect(outcomeOf(await rejection(WITHDRAW(page)))).toBe('unknown');
  });
});

describe('the client of a page', () => {
  it.each([
    'clientKey',
    'clientId',
    'secretKey',
    'accessToken',
  ] as const)('refuses %s, because the proxy adds it', (name) => {
    const create = () => pageClient(() => Promise.reject(), { [name]: 'a-key' });
    expect(create).toThrow(expect.objectContaining({ option: name, outcome: 'not_sent' }));
  });

  it.each([{ region: 'us' }, { endpointCredentials: {} }] as const)('refuses %j', (options) => {
    expect(() => pageClient(() => Promise.reject(), options)).toThrow(/leave it out/);
  });

  it('refuses the token of another user for a call, and sends nothing', async () => {
    const { page, requests } = scriptedProxy([json({ success: true })]);
    const error = await rejection(page.card.status({ accessToken: 'a-token' }));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'accessToken' });
    expect(outcomeOf(error)).toBe('not_sent');
    expect(requests).toEqual([]);
  });

  it('refuses to become the client of another user', () => {
    const page = pageClient(() => Promise.reject());
    expect(() => page.withAccessToken('a-token')).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option: 'accessToken' }),
    );
  });

  it('refuses throughProxy that is not a boolean', () => {
    const options = { throughProxy: 'yes' as never };
    expect(() => pageClient(() => Promise.reject(), options)).toThrow(/true or false/);
  });

  it.each(SAMPLE_CALLS)('sends no credential with $id', async (call) => {
    const { fetch, requests } = scriptedFetch(json(call.response.body, call.response.status));
    await call.invoke(pageClient(() => Promise.reject(), { fetch }));
    const names = Object.keys(Object(requests[0]?.init.headers));
    expect(
      names.filter(
        (name) =>
          !['accept', 'content-type', 'connection', 'x-card-platform-time-left'].includes(name),
      ),
    ).toEqual([]);
  });

  it('sends an input whole, because the proxy checks it again', async () => {
    const { page, requests } = scriptedProxy([json({ success: true })]);
    await page.wallets.internal.withdraw({
      amount: '1',
      currency: 'xrp',
      recipientAddress: 'rMoved',
      recipientMemo: null,
      sourceAddress: 'rOwn',
      checkRecipient: false,
    });
    // The service receives neither the null nor the field that only controls checks.
    expect(JSON.parse(String(requests[0]?.init.body))).toEqual({
      amount: '1',
      currency: 'xrp',
      recipientAddrss: 'rMoved',
      sourceAddress: 'rOwn',
    });
  });
});

describe('createErrorResponse', () => {
  it('makes the client of a page throw the error of a login with a one-time password', async () => {
    const body = { message: 'OTP required', isOtpRequired: true, userId: 'u-1', phoneNumber: '*9' };
    const { fetch } = scriptedFetch(json(body, 400));
    const server = clientFor('https://api.example.com', { fetch });
    const failure = await rejection(server.auth.login({ email: 'a@b.co', password: 'x' }));
    const page = pageClient(async () => createErrorResponse(failure));
    const error = await rejection(page.request('POST', '/session', { body: {} }));
    expect(error).toMatchObject({
      name: 'OtpRequiredError',
      userId: 'u-1',
      phoneNumber: '*9',
      outcome: 'rejected',
    });
  });

  it('shows nothing of an error that is not one of this package', async () => {
    const response = createErrorResponse(new Error('password hunter2'));
    expect(response.status).toBe(502);
    expect(await response.text()).not.toContain('hunter2');
    expect(response.headers.get('x-card-platform-outcome')).toBe('unknown');
  });

  it('names one party for an error that is not one of this package', async () => {
    const page = pageClient(async () => createErrorResponse(new Error('no such table')));
    const { message } = (await rejection(page.card.status())) as Error;
    expect(message).toContain(
      'your server (not the service) responded with 502: "The request failed',
    );
    expect(message).not.toMatch(/proxy|the service (?:responded|refused|got)/);
  });
});
