import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/index.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

type Validate = (value: unknown) => unknown;

const body = { id: 'w', balance: '1', token: 'a-secret-of-the-response' };

function read(validate: Validate, options = {}) {
  const fetch = async () => json(body);
  const client = clientFor('https://api.example.com', { fetch, ...options });
  const schema = { '~standard': { version: 1, vendor: 'test', validate } };
  return client.wallets.credit.get({ schema } as never);
}

function withdrawal(validate: Validate) {
  const fetch = async () => json({ success: true });
  const client = clientFor('https://api.example.com', { fetch });
  const schema = { '~standard': { version: 1, vendor: 'test', validate } };
  return client.request('POST', '/v1/things', { body: {}, schema } as never);
}

const BREAKS = 'breaks the schema that the caller passed';
const THREW = 'the schema that the caller passed threw';
const NOTHING = 'the schema that the caller passed returned nothing';

/** What a schema does, and what is reported of it. */
const hostile: readonly [string, Validate, string][] = [
  [
    'throws',
    () => {
      throw new Error('a bug of the caller with canary-access-token');
    },
    THREW,
  ],
  ['rejects', async () => Promise.reject(new Error('later')), THREW],
  [
    'throws undefined',
    () => {
      throw undefined;
    },
    THREW,
  ],
  ['returns undefined', () => undefined, NOTHING],
  ['resolves to undefined', async () => undefined, NOTHING],
  ['returns null', () => null, NOTHING],
  ['returns a text', () => 'valid', NOTHING],
  [
    'returns an object with neither value nor issues',
    () => ({}),
    'the schema that the caller passed returned neither a value nor issues',
  ],
  [
    'returns issues that are not an array',
    () => ({ issues: 'all of them' }),
    'the schema that the caller passed returned issues that are not an array',
  ],
  ['returns issues that are not objects', () => ({ issues: [null, undefined, 5] }), BREAKS],
  ['returns an empty list of issues', () => ({ issues: [] }), BREAKS],
  [
    'throws a value whose code cannot be read',
    () => {
      throw Object.defineProperty(new Error('x'), 'code', {
        get() {
          throw new Error('gotcha');
        },
      });
    },
    THREW,
  ],
  [
    'resolves to issues that cannot be read',
    async () => ({
      get issues() {
        throw new Error('gotcha');
      },
    }),
    THREW,
  ],
  [
    'returns a value that cannot be read',
    () =>
      new Proxy(
        {},
        {
          get() {
            throw new Error('gotcha');
          },
          has() {
            throw new Error('gotcha');
          },
        },
      ),
    THREW,
  ],
];

describe('a schema of the caller that', () => {
  it.each(hostile)('%s causes a typed error with an outcome', async (_, validate, message) => {
    for (const [call, isRead] of [
      [read(validate), true],
      [withdrawal(validate), false],
    ] as const) {
      const error = await rejection(call);
      // Nothing documents the read, and the body of the other says success.
      const outcome = isRead ? 'unknown' : 'executed';
      const issues = [{ path: '', message }];
      expect(error).toMatchObject({ name: 'ResponseValidationError', outcome, issues });
      expect(outcomeOf(error)).toBe(outcome);
      expect(String(error)).toContain(isRead ? 'the call only reads' : 'do not send it again');
      expect(String(error)).not.toContain('canary');
      expect(String((error as Error).cause)).not.toContain('canary');
    }
  });

  it('quotes values in its issues does not put them into the error', async () => {
    const issues = [{ message: 'got a-secret-of-the-response', path: ['token'] }];
    const error = await rejection(read(() => ({ issues })));
    expect(error).toMatchObject({
      issues: [{ path: 'token', message: BREAKS }],
    });
  });

  it('reports no issues, as null, returns its value', async () => {
    expect(await read(() => ({ issues: null, value: 'mine' }))).toBe('mine');
  });

  it('returns some issues that are objects is reported with those', async () => {
    const error = await rejection(read(() => ({ issues: [null, 5, { path: ['token'] }] })));
    expect(error).toMatchObject({ issues: [{ path: 'token', message: BREAKS }] });
  });

  it('never settles is ended by the deadline of the call', async () => {
    const clock = new FakeClock();
    const error = await rejection(read(() => new Promise(() => {}), { clock, totalTimeout: 700 }));
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'schema', outcome: 'unknown' });
    expect(clock.elapsed()).toBe(700);
    expect(clock.pending).toBe(0);
  });

  it('never settles is ended when the caller aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('left');
    const fetch = async () => json(body);
    const client = clientFor('https://api.example.com', { fetch });
    const validate = () => {
      setTimeout(() => controller.abort(reason), 1);
      return new Promise(() => {});
    };
    const schema = { '~standard': { version: 1, vendor: 'test', validate } };
    const { signal } = controller;
    const error = await rejection(client.wallets.credit.get({ schema, signal } as never));
    expect(error).toBe(reason);
    expect(outcomeOf(error)).toBe('unknown');
  });

  it('starts long after the response still gets its full time', async () => {
    const clock = new FakeClock({ auto: false });
    const call = read(async (value) => ({ value }), { clock, totalTimeout: 700 });
    await call.raw();
    clock.advance(10_000);
    expect(await call).toMatchObject({ id: 'w' });
  });
});
