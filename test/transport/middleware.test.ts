import { describe, expect, it } from 'vitest';
import type { LogFields } from '../../src/transport/attempts/attempt-plan.js';
import type { Middleware, MiddlewareResponse } from '../../src/transport/attempts/middleware.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const BASE_URL = 'https://api.example.com';
const active = (headers = {}) => json({ id: 'c', status: 'ACTIVE' }, 200, headers);
const UUID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';

describe('middleware', () => {
  it('wraps each attempt, the layers of the client outside those of the call', async () => {
    const order: string[] = [];
    const layer =
      (name: string): Middleware =>
      async (request, next) => {
        order.push(`${name} ${request.attempt}`);
        const { status } = await next();
        order.push(`${name} ${status}`);
      };
    const { fetch } = scriptedFetch(json({}, 503), active());
    const client = clientFor(BASE_URL, { fetch, middleware: [layer('a'), layer('b')] });
    await client.card.status({ middleware: [layer('c')] });
    expect(order).toEqual([
      ...['a 1', 'b 1', 'c 1', 'c 503', 'b 503', 'a 503'],
      ...['a 2', 'b 2', 'c 2', 'c 200', 'b 200', 'a 200'],
    ]);
  });

  it('sees the route and the response without its body, but no credential', async () => {
    const seen: unknown[] = [];
    const see: Middleware = async (request, next) => {
      seen.push(request, await next());
    };
    const { fetch } = scriptedFetch(json({ id: UUID }, 200, { 'x-request-id': 'r-1' }));
    const client = clientFor(BASE_URL, { fetch, middleware: [see], region: 'us' });
    await client.consent.getSet({ id: UUID });
    expect(seen[0]).toEqual({
      operation: 'consent.getSet',
      method: 'GET',
      route: '/v2/consent/consentSet/{id}',
      attempt: 1,
      headers: { accept: 'application/json', 'x-us-env': 'true' },
    });
    expect(seen[1]).toMatchObject({ status: 200, requestId: 'r-1' });
    expect(Object.keys(seen[1] as object).sort()).toEqual([
      'durationMs',
      'headers',
      'requestId',
      'status',
    ]);
  });

  it('can add headers, but not credentials', async () => {
    const { fetch, requests } = scriptedFetch(active());
    const trace: Middleware = (_request, next) => next({ headers: { traceparent: '00-abc' } });
    await clientFor(BASE_URL, { fetch, middleware: [trace] }).card.status();
    expect(new Headers(requests[0]?.init.headers).get('traceparent')).toBe('00-abc');
    const forge: Middleware = (_request, next) => next({ headers: { Authorization: 'x' } });
    const error = await rejection(
      clientFor(BASE_URL, { fetch, middleware: [forge] }).card.status(),
    );
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'headers' });
    expect(requests).toHaveLength(1);
  });

  it('can stop the request: nothing is sent, and the call rejects with its error', async () => {
    const { fetch, requests } = scriptedFetch(active());
    const own = new Error('not on Sundays');
    const veto: Middleware = async () => {
      throw own;
    };
    expect(await rejection(clientFor(BASE_URL, { fetch, middleware: [veto] }).card.status())).toBe(
      own,
    );
    expect(requests).toHaveLength(0);
  });

  it('must call next()', async () => {
    const { fetch, requests } = scriptedFetch(active());
    const forgetful: Middleware = async () => 'done';
    const client = clientFor(BASE_URL, { fetch, middleware: [forgetful] });
    expect(await rejection(client.card.status())).toMatchObject({
      name: 'ConfigurationError',
      option: 'middleware',
      outcome: 'not_sent',
      message: expect.stringContaining('returned without calling next()'),
    });
    expect(requests).toHaveLength(0);
  });

  it('cannot change the result after the request was sent', async () => {
    const late: Middleware = async (_request, next) => {
      await next();
      throw new Error('too late');
    };
    const { fetch } = scriptedFetch(active());
    const client = clientFor(BASE_URL, { fetch, middleware: [late] });
    expect((await client.card.status()).status).toBe('ACTIVE');
  });

  it('sends one request, however often it calls next() and whether or not it awaits it', async () => {
    const { fetch, requests } = scriptedFetch(active());
    const eager: Middleware = async (_request, next) => {
      void next();
      void next();
    };
    const client = clientFor(BASE_URL, { fetch, middleware: [eager] });
    expect((await client.card.status()).status).toBe('ACTIVE');
    expect(requests).toHaveLength(1);
  });

  it('runs the next layer once, however often it calls next()', async () => {
    let runs = 0;
    const twice: Middleware = async (_request, next) => {
      const [first, second] = await Promise.all([next(), next()]);
      expect(second).toBe(first);
    };
    const inner: Middleware = (_request, next) => {
      runs++;
      return next();
    };
    const { fetch } = scriptedFetch(active());
    await clientFor(BASE_URL, { fetch, middleware: [twice, inner] }).card.status();
    expect(runs).toBe(1);
  });

  it('sees how long its own attempt took, whenever the clock began', async () => {
    const clock = new FakeClock({ auto: false });
    clock.advance(60_000);
    const seen: number[] = [];
    const see: Middleware = async (_request, next) => {
      clock.advance(500);
      seen.push((await next()).durationMs);
    };
    const fetch = async () => {
      clock.advance(30);
      return active();
    };
    await clientFor(BASE_URL, { fetch, clock, middleware: [see] }).card.status();
    expect(seen).toEqual([30]);
  });

  it('cannot send after the call has ended', async () => {
    const { fetch, requests } = scriptedFetch(active());
    let late: Promise<unknown> | undefined;
    const clock = new FakeClock({ auto: false });
    const slow: Middleware = async (_request, next) => {
      clock.advance(5);
      late = new Promise((resolve) => setTimeout(resolve, 30)).then(() => next());
      await late;
    };
    const client = clientFor(BASE_URL, { fetch, middleware: [slow], clock, totalTimeout: 5 });
    expect(await rejection(client.card.unfreeze())).toMatchObject({
      name: 'TimeoutError',
      phase: 'middleware',
      outcome: 'not_sent',
    });
    expect(await rejection(late ?? Promise.resolve())).toMatchObject({
      name: 'ConfigurationError',
      option: 'middleware',
      message: expect.stringContaining('called too late: the attempt was over'),
    });
    expect(requests).toHaveLength(0);
  });

  it('receives the reason of an abort', async () => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    let seen: unknown;
    const see: Middleware = (_request, next) =>
      next().catch((error: unknown) => {
        seen = error;
      });
    const fetch = () => {
      setImmediate(() => controller.abort(reason));
      return new Promise<Response>(() => {});
    };
    const client = clientFor(BASE_URL, { fetch, middleware: [see] });
    const { signal } = controller;
    expect(await rejection(client.card.unfreeze({ signal }))).toBe(reason);
    expect(seen).toBe(reason);
  });

  it('receives the typed error when there is no response', async () => {
    let seen: unknown;
    const see: Middleware = (_request, next) =>
      next().catch((error: unknown) => {
        seen = error;
      });
    const { fetch } = scriptedFetch(new TypeError('fetch failed'));
    const client = clientFor(BASE_URL, { fetch, middleware: [see], retry: false });
    const error = await rejection(client.card.status());
    expect(seen).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', isRetryable: false });
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
  });

  it('that never calls next() is ended by the total time', async () => {
    const { fetch, requests } = scriptedFetch(active());
    const stuck: Middleware = () => new Promise(() => {});
    const options = { fetch, middleware: [stuck], totalTimeout: 5_000, clock: new FakeClock() };
    const client = clientFor(BASE_URL, options);
    expect(await rejection(client.card.status())).toMatchObject({
      name: 'TimeoutError',
      phase: 'middleware',
      outcome: 'not_sent',
    });
    expect(requests).toHaveLength(0);
  });

  it('that never returns after the response does not delay the result', async () => {
    const { fetch } = scriptedFetch(active());
    const lingering: Middleware = async (_request, next) => {
      await next();
      await new Promise(() => {});
    };
    const options = { fetch, middleware: [lingering], totalTimeout: 5_000, clock: new FakeClock() };
    const client = clientFor(BASE_URL, options);
    expect((await client.card.status()).status).toBe('ACTIVE');
  });
});

describe('the logger', () => {
  function logged(...responses: (Response | Error)[]) {
    const lines: [string, LogFields, string][] = [];
    const logger = {
      debug: (fields: LogFields, message: string) => lines.push(['debug', fields, message]),
      warn: (fields: LogFields, message: string) => lines.push(['warn', fields, message]),
    };
    const { fetch } = scriptedFetch(...responses);
    return { lines, client: clientFor(BASE_URL, { fetch, logger }) };
  }

  it('receives one line for each attempt, with the documented fields only', async () => {
    const { lines, client } = logged(json({}, 503, { 'x-request-id': 'r-1' }), active());
    await client.card.status();
    expect(lines.map(([level, , message]) => [level, message])).toEqual([
      ['warn', 'card.status will be retried'],
      ['debug', 'card.status got a response'],
    ]);
    expect(lines[0]?.[1]).toMatchObject({
      status: 503,
      requestId: 'r-1',
      attempt: 1,
      retryInMs: 0,
    });
    const allowed = [
      'operation',
      'method',
      'route',
      'attempt',
      'durationMs',
      'status',
      'requestId',
    ];
    const names = new Set(lines.flatMap(([, fields]) => Object.keys(fields)));
    expect([...names].filter((name) => !allowed.includes(name)).sort()).toEqual([
      'outcome',
      'retryInMs',
    ]);
  });

  it('receives how long each attempt took, whenever the clock began', async () => {
    const clock = new FakeClock({ auto: false });
    clock.advance(60_000);
    const durations: number[] = [];
    const log = ({ durationMs }: LogFields) => durations.push(durationMs);
    const fetch = async () => {
      clock.advance(30);
      return active();
    };
    const client = clientFor(BASE_URL, { fetch, clock, logger: { debug: log, warn: log } });
    await client.card.status();
    expect(durations).toEqual([30]);
  });

  it('receives an outcome only for an attempt that failed', async () => {
    const { lines, client } = logged(active());
    await client.card.status();
    expect(lines[0]?.[1]).not.toHaveProperty('outcome');
    expect(lines[0]?.[1]).not.toHaveProperty('retryInMs');
  });

  it('receives a line for a failure', async () => {
    const { lines, client } = logged(new TypeError('fetch failed'));
    await rejection(client.card.unfreeze());
    expect(lines).toMatchObject([['warn', { outcome: 'unknown' }, 'card.unfreeze failed']]);
    expect(lines[0]?.[1].status).toBeUndefined();
  });

  it('receives success for a retry that found the operation already done', async () => {
    const frozen = json({ message: 'Card is already frozen' }, 400);
    const { lines, client } = logged(new TypeError('fetch failed'), frozen);
    await client.card.freeze();
    expect(lines.at(-1)?.[2]).toBe('card.freeze got a response');
  });

  it('that throws changes nothing', async () => {
    const logger = {
      debug: () => {
        throw new Error('disk full');
      },
      warn: () => {},
    };
    const { fetch } = scriptedFetch(active());
    expect((await clientFor(BASE_URL, { fetch, logger }).card.status()).status).toBe('ACTIVE');
  });
});

describe('what middleware sees of a response', () => {
  const echo = { 'x-debug': 'Bearer access-token', 'x-request-id': 'access-token' };

  it.each([
    [200, { id: 'c', status: 'ACTIVE' }],
    [422, { message: 'no' }],
  ])('with status %i contains no secret and no cookie', async (status, body) => {
    const seen: MiddlewareResponse[] = [];
    const watch: Middleware = async (_, next) => void seen.push(await next());
    const response = json(body, status, { ...echo, 'set-cookie': 'session=1', 'x-other': 'kept' });
    const { fetch } = scriptedFetch(response);
    await clientFor(BASE_URL, { fetch, accessToken: 'access-token', middleware: [watch] })
      .card.status()
      .safe();
    const [{ headers, requestId } = {}] = seen;
    expect(requestId).toBe('[redacted]');
    expect(headers?.get('x-debug')).toBe('Bearer [redacted]');
    expect(headers?.get('set-cookie')).toBeNull();
    expect(headers?.get('x-other')).toBe('kept');
  });
});
