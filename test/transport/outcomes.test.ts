import { describe, expect, it } from 'vitest';
import type { RetryClass } from '../../src/contract/retry-policy.js';
import { Deadline } from '../../src/transport/attempts/deadline.js';
import type { CallFacts } from '../../src/transport/outcome/attempt-result.js';
import type { ExchangeFacts } from '../../src/transport/outcome/facts.js';
import {
  failedExchange,
  outcomeOfAborted,
  timedOutExchange,
  timedOutInMiddleware,
} from '../../src/transport/outcome/failed-exchange.js';
import {
  BodyMissing,
  BodyNotText,
  BodyTooLong,
  NotAResponse,
} from '../../src/transport/outcome/failures.js';
import {
  type AttemptFacts,
  combineOutcomes,
  mayHaveActed,
  outcomeOfAttempt,
  probableOutcomeOfAttempt,
} from '../../src/transport/outcome/outcome.js';
import { outcomeOf, recordOutcome } from '../../src/transport/outcome/outcome-of.js';
import { FakeClock } from '../support/fake-clock.js';

const CALL: CallFacts = {
  operation: 'card.freeze',
  outcome: 'unknown',
  attempts: 1,
  isRead: false,
  isRetryable: false,
};
const CLASSES: readonly RetryClass[] = ['safe', 'idempotent', 'issues-token', 'never'];
const facts = (more: Partial<AttemptFacts>): AttemptFacts => ({
  ...{ connection: 'established', status: undefined },
  ...{ isBodyRead: false, isRefusal: false, hasEvidence: false },
  ...more,
});
const exchange = (
  status: number | undefined,
  connection: ExchangeFacts['connection'] = 'established',
): ExchangeFacts => ({ connection, status });

describe('the outcome of an attempt', () => {
  it.each(CLASSES)('without a connection is not_sent, of class %s', (retryClass) => {
    expect(outcomeOfAttempt(facts({ connection: 'none' }), retryClass)).toBe('not_sent');
  });

  it.each(
    CLASSES.flatMap((retryClass) =>
      (['established', 'unproven'] as const).map((connection) => ({ retryClass, connection })),
    ),
  )('without a response is unknown: $connection, class $retryClass', (cell) => {
    const { retryClass, connection } = cell;
    expect(outcomeOfAttempt(facts({ connection }), retryClass)).toBe('unknown');
  });

  // Status; then what it says: of class N, in the service's own words and without; of others.
  it.each([
    [199, 'unknown', 'unknown', 'unknown'],
    [300, 'unknown', 'unknown', 'unknown'],
    [399, 'unknown', 'unknown', 'unknown'],
    [400, 'rejected', 'unknown', 'rejected'],
    [407, 'rejected', 'unknown', 'rejected'],
    [408, 'unknown', 'unknown', 'unknown'],
    [409, 'rejected', 'unknown', 'rejected'],
    [429, 'rejected', 'unknown', 'rejected'],
    [499, 'rejected', 'unknown', 'rejected'],
    [500, 'unknown', 'unknown', 'unknown'],
    [503, 'unknown', 'unknown', 'unknown'],
    [599, 'unknown', 'unknown', 'unknown'],
  ] as const)('with %i', (status, worded, unworded, harmless) => {
    const whole = { status, isBodyRead: true };
    expect(outcomeOfAttempt(facts({ ...whole, isRefusal: true }), 'never')).toBe(worded);
    for (const isBodyRead of [true, false]) {
      expect(outcomeOfAttempt(facts({ status, isBodyRead }), 'never')).toBe(unworded);
      for (const retryClass of ['safe', 'idempotent', 'issues-token'] as const) {
        expect(outcomeOfAttempt(facts({ status, isBodyRead }), retryClass)).toBe(harmless);
      }
    }
  });

  it.each([200, 207, 299])('with %i is executed, unless the service says otherwise', (status) => {
    for (const retryClass of CLASSES) {
      const unread = outcomeOfAttempt(facts({ status }), retryClass);
      expect(unread).toBe(retryClass === 'safe' ? 'unknown' : 'executed');
      expect(outcomeOfAttempt(facts({ status, isBodyRead: true }), retryClass)).toBe('executed');
      const refused = { status, isBodyRead: true, isRefusal: true };
      expect(outcomeOfAttempt(facts(refused), retryClass)).toBe('rejected');
      expect(outcomeOfAttempt(facts({ ...refused, hasEvidence: true }), retryClass)).toBe(
        'unknown',
      );
    }
  });

  it.each([400, 422, 500])('with %i beside evidence of execution is unknown', (status) => {
    const said = facts({ status, isBodyRead: true, isRefusal: true, hasEvidence: true });
    for (const retryClass of CLASSES) expect(outcomeOfAttempt(said, retryClass)).toBe('unknown');
    expect(probableOutcomeOfAttempt(said, true)).toBe('executed');
  });

  it.each([
    [undefined, false, undefined],
    [200, false, undefined],
    [404, false, 'rejected'],
    [408, false, undefined],
    [500, false, undefined],
    [500, true, 'rejected'],
    [302, false, undefined],
  ] as const)('with %s (documented refusal: %s) is probably %s', (status, documented, outcome) => {
    expect(probableOutcomeOfAttempt(facts({ status }), documented)).toBe(outcome);
  });
});

describe('the outcome of several attempts', () => {
  it('is that of the one which may have done the most', () => {
    const combined = (earlier: 'not_sent' | 'unknown' | 'executed', retryClass: RetryClass) =>
      (['not_sent', 'rejected', 'unknown', 'executed'] as const).map((last) =>
        combineOutcomes(earlier, last, retryClass),
      );
    expect(combined('not_sent', 'idempotent')).toEqual([
      'not_sent',
      'rejected',
      'unknown',
      'executed',
    ]);
    expect(combined('unknown', 'idempotent')).toEqual([
      'unknown',
      'unknown',
      'unknown',
      'executed',
    ]);
    expect(combined('executed', 'idempotent')).toEqual([
      'executed',
      'executed',
      'executed',
      'executed',
    ]);
    expect(combined('unknown', 'safe')).toEqual(['not_sent', 'rejected', 'unknown', 'executed']);
  });

  it('may have acted where it is unknown or executed', () => {
    const outcomes = ['not_sent', 'rejected', 'unknown', 'executed'] as const;
    expect(outcomes.filter(mayHaveActed)).toEqual(['unknown', 'executed']);
  });
});

const clean = (text: string, length: number) => text.replaceAll('secret', '***').slice(0, length);

describe('an exchange without a response', () => {
  const failed = (
    failure: unknown,
    {
      connection = 'none',
      isForeign = false,
    }: Partial<ExchangeFacts & { isForeign: boolean }> = {},
  ) => {
    const { toError, ...attempt } = failedExchange({
      facts: exchange(undefined, connection),
      ...{ failure, retryClass: 'never', isForeign, clean },
    });
    const error = toError(CALL);
    return { attempt, error, cause: error.cause as Error | undefined };
  };
  const withCode = (code: string, name = 'TypeError') =>
    Object.assign(new Error('secret words of the runtime'), { code, name });

  it('has a cause with name and code of the original, and none of its words', () => {
    const { error, cause } = failed(withCode('ECONNRESET'), { connection: 'established' });
    expect(cause).toMatchObject({ name: 'TypeError', message: 'ECONNRESET', code: 'ECONNRESET' });
    expect(error.message).toContain('the connection failed (ECONNRESET).');
    expect(error.message).not.toContain('secret');
  });

  it('keeps the system call that failed, if it is one', () => {
    const withCall = (syscall: unknown) =>
      failed(Object.assign(withCode('ECONNREFUSED'), { syscall })).cause;
    expect(withCall('connect')).toHaveProperty('syscall', 'connect');
    for (const odd of ['connect secret', 5, '', 'x'.repeat(21)]) {
      expect(withCall(odd)).not.toHaveProperty('syscall');
    }
  });

  it('says so where there is no code', () => {
    const { error, cause } = failed(new TypeError('secret words'));
    expect(cause?.message).toBe('the runtime reported no reason');
    expect(cause).not.toHaveProperty('code');
    expect(error.message).toContain('the connection could not be made.');
  });

  it.each([
    ['a code that quotes', 'token=abc'],
    ['a code without end', 'E'.repeat(61)],
    ['an empty code', ''],
  ])('leaves out %s', (_what, code) => {
    const { error, cause } = failed(withCode(code));
    expect(error.message).toContain('the connection could not be made.');
    expect(cause).not.toHaveProperty('code');
  });

  it.each(['E1_', 'E'.repeat(60)])('keeps the code %s', (code) => {
    expect(failed(withCode(code)).cause).toHaveProperty('code', code);
  });

  it.each([
    ['AbortError', 'AbortError'],
    ['A'.repeat(40), 'A'.repeat(40)],
    ['A'.repeat(41), 'Error'],
    ['token 42', 'Error'],
    ['', 'Error'],
  ])('of the name "%s" keeps %s', (name, kept) => {
    expect(failed(withCode('ECONNRESET', name)).cause?.name).toBe(kept);
  });

  it('has no cause where what was thrown is not an object', () => {
    expect(failed('text').cause).toBeUndefined();
  });

  it.each([
    ['ECONNREFUSED', 'none', 'no-connection', 'not_sent', 'connection could not be made'],
    ['EMFILE', 'none', 'no-connection', 'not_sent', 'connection could not be made'],
    ['ECONNRESET', 'none', 'no-connection', 'not_sent', 'connection could not be made'],
    ['ECONNREFUSED', 'unproven', 'no-response', 'unknown', 'connection failed'],
    ['EHOSTUNREACH', 'established', 'no-response', 'unknown', 'connection failed'],
    ['EPROTO', 'none', 'final', 'not_sent', 'TLS connection could not be made'],
    ['CERT_HAS_EXPIRED', 'none', 'final', 'not_sent', 'TLS connection could not be made'],
    ['EPROTO', 'established', 'no-response', 'unknown', 'connection failed'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'unproven', 'no-response', 'unknown', 'connection failed'],
  ] as const)('%s, connection %s: %s, %s', (code, connection, kind, outcome, words) => {
    const { attempt, error } = failed(withCode(code), { connection });
    expect(attempt).toEqual({ status: undefined, outcome, kind, timedOut: false });
    expect(error.message).toContain(`the ${words} (${code}).`);
    expect(error.name).toBe(words.startsWith('TLS') ? 'TlsError' : 'ConnectionError');
  });

  it.each([
    [new TypeError('a secret mock'), 'threw TypeError: a *** mock.'],
    [new Error(''), 'threw Error.'],
    ['a secret text', 'threw the text "a *** text".'],
    [undefined, 'threw undefined.'],
    [7, 'threw 7.'],
    [new TypeError(`${'x'.repeat(400)} end`), `threw TypeError: ${'x'.repeat(300)}.`],
  ])('reports what the caller’s own fetch threw: %s', (failure, words) => {
    const own = { connection: 'unproven', isForeign: true } as const;
    const { attempt, error, cause } = failed(failure, own);
    expect(attempt).toMatchObject({ outcome: 'unknown', kind: 'no-response' });
    expect(error.message).toContain(`the fetch that sends requests ${words}`);
    expect(`${cause?.message}${cause?.stack}`).not.toContain('secret');
  });

  it('takes an error code of a caller’s fetch for a failed connection', () => {
    const own = { connection: 'unproven', isForeign: true } as const;
    const { error } = failed(withCode('ECONNRESET'), own);
    expect(error.message).toContain('the connection failed (ECONNRESET).');
    expect(error.message).not.toContain('words of the runtime');
  });
});

describe('an exchange whose time ran out', () => {
  it.each([
    [undefined, 'none', 'not_sent', 'no-connection', 'connect'],
    [undefined, 'established', 'unknown', 'no-response', 'headers'],
    [undefined, 'unproven', 'unknown', 'no-response', 'headers'],
    [200, 'established', 'executed', 'no-response', 'body'],
    [299, 'established', 'executed', 'no-response', 'body'],
    [300, 'established', 'unknown', 'status', 'body'],
    [400, 'established', 'unknown', 'status', 'body'],
    [503, 'established', 'unknown', 'status', 'body'],
  ] as const)('after the status %s, connection %s: %s', (...cell) => {
    const [status, connection, outcome, kind, phase] = cell;
    const failed = timedOutExchange(
      { facts: exchange(status, connection), retryClass: 'never' },
      100,
    );
    expect(failed).toMatchObject({ status, outcome, kind, timedOut: true });
    expect(failed.toError(CALL)).toMatchObject({ phase, timeoutMs: 100 });
    expect(outcomeOfAborted({ facts: exchange(status, connection), retryClass: 'never' })).toBe(
      outcome,
    );
  });

  it('of a read brought nothing, and a refusal of one is a refusal', () => {
    const outcome = (status: number) =>
      timedOutExchange({ facts: exchange(status), retryClass: 'safe' }, 100).outcome;
    expect([outcome(200), outcome(404), outcome(500)]).toEqual(['unknown', 'rejected', 'unknown']);
  });

  it('in middleware never started', () => {
    const failed = timedOutInMiddleware(100);
    expect(failed).toMatchObject({ outcome: 'not_sent', kind: 'final', timedOut: true });
    expect(failed.toError(CALL)).toMatchObject({ phase: 'middleware', timeoutMs: 100 });
  });
});

describe('an exchange whose body could not be read', () => {
  const failed = (status: number, failure: unknown, retryClass: RetryClass = 'never') =>
    failedExchange({
      facts: exchange(status),
      ...{ failure, retryClass, isForeign: false, clean },
    });

  it.each([
    [200, new Error('cut'), 'no-response', 'executed'],
    [299, new Error('cut'), 'no-response', 'executed'],
    [300, new Error('cut'), 'status', 'unknown'],
    [404, new Error('cut'), 'status', 'unknown'],
    [200, new BodyNotText(), 'final', 'executed'],
    [200, new BodyTooLong(9), 'final', 'executed'],
    [500, new BodyTooLong(9), 'final', 'unknown'],
    [200, new BodyMissing(), 'final', 'executed'],
  ] as const)('%i, %o: %s, %s', (status, failure, kind, outcome) => {
    expect(failed(status, failure)).toMatchObject({ status, kind, outcome, timedOut: false });
    const expected = failure instanceof BodyTooLong ? 'ResponseTooLargeError' : 'BodyReadError';
    expect(failed(status, failure).toError(CALL)).toMatchObject({ name: expected, status });
  });

  it('of a read is unknown with 2xx, and rejected with 4xx', () => {
    expect(failed(200, new Error('cut'), 'safe').outcome).toBe('unknown');
    expect(failed(404, new Error('cut'), 'safe').outcome).toBe('rejected');
  });

  it('says what is missing', () => {
    expect(failed(200, new BodyMissing()).toError(CALL).message).toContain(
      'the response has neither a body stream nor text().',
    );
  });

  it('that is not a response at all says what came instead', () => {
    const attempt = failed(200, new NotAResponse('an object without headers'));
    expect(attempt).toMatchObject({ kind: 'final', outcome: 'executed' });
    expect(attempt.toError(CALL)).toMatchObject({
      name: 'ProtocolError',
      code: 'fetch_response_invalid',
    });
    expect(attempt.toError(CALL).message).toContain(
      'the fetch that sends requests returned an object without headers instead of a Response.',
    );
  });
});

describe('the outcome of what is not an error of this package', () => {
  it('is remembered for objects, and unknown for everything else', () => {
    const reason = new Error('the user left');
    expect(outcomeOf(reason)).toBe('unknown');
    recordOutcome(reason, 'not_sent');
    expect(outcomeOf(reason)).toBe('not_sent');
    recordOutcome('text', 'not_sent');
    recordOutcome(null, 'not_sent');
    for (const other of ['text', 5, null, undefined, {}]) expect(outcomeOf(other)).toBe('unknown');
  });

  it('is unknown where calls that share it end differently', () => {
    const reason = () => 'shared';
    recordOutcome(reason, 'not_sent');
    recordOutcome(reason, 'not_sent');
    expect(outcomeOf(reason)).toBe('not_sent');
    recordOutcome(reason, 'executed');
    expect(outcomeOf(reason)).toBe('unknown');
  });

  it('is never changed for an error that has its own', () => {
    const error = timedOutInMiddleware(1).toError({ ...CALL, outcome: 'not_sent' });
    recordOutcome(error, 'executed');
    expect(outcomeOf(error)).toBe('not_sent');
  });
});

describe('a deadline', () => {
  const never = () => new Promise<never>(() => {});

  it('names its own limit, or the total where that is shorter', async () => {
    const deadline = new Deadline(new FakeClock(), 100, undefined);
    const first = await deadline.run(40, never).catch((error: unknown) => error);
    expect(first).toEqual({ kind: 'timeout', reason: 40 });
    // 60 of the 100 milliseconds are left.
    const second = await deadline.run(80, never).catch((error: unknown) => error);
    expect(second).toEqual({ kind: 'timeout', reason: 100 });
    expect(() => deadline.check()).toThrow(expect.objectContaining({ kind: 'timeout' }));
  });

  it('distinguishes an abort from a lack of time', async () => {
    const controller = new AbortController();
    const deadline = new Deadline(new FakeClock({ auto: false }), 100, controller.signal);
    const running = deadline.run(40, never).catch((error: unknown) => error);
    controller.abort('enough');
    expect(await running).toEqual({ kind: 'aborted', reason: 'enough' });
    expect(() => deadline.check()).toThrow(
      expect.objectContaining({ kind: 'aborted', reason: 'enough' }),
    );
  });

  it('runs work after its end with runBeyondTotal, and still heeds the signal', async () => {
    const controller = new AbortController();
    const clock = new FakeClock({ auto: false });
    const deadline = new Deadline(clock, 100, controller.signal);
    deadline.release();
    clock.advance(200);
    expect(await deadline.runBeyondTotal(50, async () => 'late')).toBe('late');
    const stuck = deadline.runBeyondTotal(50, never).catch((error: unknown) => error);
    clock.advance(50);
    expect(await stuck).toEqual({ kind: 'timeout', reason: 50 });
    const left = deadline.runBeyondTotal(50, never).catch((error: unknown) => error);
    controller.abort('enough');
    expect(await left).toEqual({ kind: 'aborted', reason: 'enough' });
    const after = deadline.runBeyondTotal(50, async () => 'no').catch((error: unknown) => error);
    expect(await after).toEqual({ kind: 'aborted', reason: 'enough' });
  });
});
