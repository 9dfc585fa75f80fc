import { describe, expect, it } from 'vitest';
import type { RetryClass } from '../../src/contract/retry-policy.js';
import type { Outcome } from '../../src/errors/index.js';
import { Deadline } from '../../src/transport/attempts/deadline.js';
import {
  failedExchange,
  outcomeOfExchange,
  timedOutExchange,
  timedOutInMiddleware,
} from '../../src/transport/outcome/failed-attempt.js';
import {
  BodyMissing,
  BodyNotText,
  BodyTooLong,
  NotAResponse,
} from '../../src/transport/outcome/network-error.js';
import {
  type AttemptFacts,
  combineOutcomes,
  type ExchangeFacts,
  mayHaveActed,
  outcomeOfAttempt,
  outcomesOf,
  probableOutcomeOfAttempt,
} from '../../src/transport/outcome/outcome.js';
import { outcomeOf, recordOutcome } from '../../src/transport/outcome/outcome-of-error.js';
import { UNKNOWN_COMMAND } from '../support/call-facts.js';
import { FakeClock } from '../support/fake-clock.js';

const CLASSES: readonly RetryClass[] = ['safe', 'idempotent', 'issues-token', 'never'];
const facts = (more: Partial<AttemptFacts>): AttemptFacts => ({
  ...{ connection: 'established', status: undefined },
  ...{ says: 'nothing', hasEvidence: false },
  ...more,
});
const exchange = (
  status: number | undefined,
  connection: ExchangeFacts['connection'] = 'established',
): ExchangeFacts => ({ connection, status });

describe('the outcome of an attempt', () => {
  it.each(CLASSES)('is not_sent without a connection, in class %s', (retryClass) => {
    expect(outcomeOfAttempt(facts({ connection: 'none' }), retryClass)).toBe('not_sent');
  });

  it.each(
    CLASSES.flatMap((retryClass) =>
      (['established', 'unproven'] as const).map((connection) => ({ retryClass, connection })),
    ),
  )('is unknown without a response: connection $connection, class $retryClass', (row) => {
    const { retryClass, connection } = row;
    expect(outcomeOfAttempt(facts({ connection }), retryClass)).toBe('unknown');
  });

  // Columns: status; outcome in class never with and without a documented refusal; outcome in the
  // other classes.
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
  ] as const)('with status %i is %s or, without a documented refusal in class never, %s; in other classes %s', (status, afterRefusal, withoutRefusal, inOtherClasses) => {
    expect(outcomeOfAttempt(facts({ status, says: 'refusal' }), 'never')).toBe(afterRefusal);
    // Only a documented form counts: not what else a body says, not even that it was done.
    for (const says of ['success', 'failure', 'unclear', 'nothing'] as const) {
      expect(outcomeOfAttempt(facts({ status, says }), 'never')).toBe(withoutRefusal);
      for (const retryClass of ['safe', 'idempotent', 'issues-token'] as const) {
        expect(outcomeOfAttempt(facts({ status, says }), retryClass)).toBe(inOtherClasses);
      }
    }
  });

  it.each([
    200, 204, 207, 299,
  ])('with status %i is what the service says in a documented form', (status) => {
    for (const retryClass of CLASSES) {
      const outcome = (says: AttemptFacts['says'], hasEvidence = false) =>
        outcomeOfAttempt(facts({ status, says, hasEvidence }), retryClass);
      expect(outcome('success')).toBe('executed');
      expect(outcome('refusal')).toBe('rejected');
      expect(outcome('refusal', true)).toBe('unknown');
      for (const says of ['failure', 'unclear', 'nothing'] as const) {
        expect(outcome(says)).toBe('unknown');
        expect(outcome(says, true)).toBe('unknown');
      }
    }
  });

  it.each([
    ['nothing', 'executed', undefined],
    ['unclear', undefined, undefined],
    ['failure', 'rejected', 'rejected'],
    ['success', undefined, undefined],
    ['refusal', undefined, undefined],
  ] as const)('with status 200 and a body that says %s is probably %s, of a read %s', (says, probably, ofRead) => {
    for (const retryClass of CLASSES) {
      const { probableOutcome } = outcomesOf(facts({ status: 200, says }), retryClass);
      expect(probableOutcome).toBe(retryClass === 'safe' ? ofRead : probably);
    }
    const beside = outcomesOf(facts({ status: 200, says, hasEvidence: true }), 'never');
    expect(beside.probableOutcome).toBe(says === 'success' ? undefined : 'executed');
  });

  it.each([400, 422, 500])('is unknown with status %i beside evidence of execution', (status) => {
    const contradictedRefusal = facts({
      status,
      says: 'refusal',
      hasEvidence: true,
    });
    for (const retryClass of CLASSES)
      expect(outcomeOfAttempt(contradictedRefusal, retryClass)).toBe('unknown');
    expect(probableOutcomeOfAttempt(contradictedRefusal, 'never', true)).toBe('executed');
  });

  it.each([
    [undefined, false, undefined],
    [404, false, 'rejected'],
    [408, false, undefined],
    [500, false, undefined],
    [500, true, 'rejected'],
    [302, false, undefined],
  ] as const)('with status %s (documented refusal: %s) is probably %s', (status, documented, outcome) => {
    expect(probableOutcomeOfAttempt(facts({ status }), 'never', documented)).toBe(outcome);
  });
});

describe('the outcome of several attempts', () => {
  it('is that of the attempt that may have come furthest', () => {
    const combined = (earlier: Outcome, retryClass: RetryClass) =>
      (['not_sent', 'rejected', 'unknown', 'executed'] as const).map((last) =>
        combineOutcomes(earlier, last, retryClass),
      );
    expect(combined('not_sent', 'idempotent')).toEqual([
      'not_sent',
      'rejected',
      'unknown',
      'executed',
    ]);
    expect(combined('rejected', 'idempotent')).toEqual([
      'rejected',
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
  });

  it('of a read is that of the last attempt, but not_sent only if no attempt was sent', () => {
    const combined = (earlier: Outcome) =>
      (['not_sent', 'rejected', 'unknown', 'executed'] as const).map((last) =>
        combineOutcomes(earlier, last, 'safe'),
      );
    expect(combined('not_sent')).toEqual(['not_sent', 'rejected', 'unknown', 'executed']);
    expect(combined('rejected')).toEqual(['rejected', 'rejected', 'unknown', 'executed']);
    expect(combined('unknown')).toEqual(['unknown', 'rejected', 'unknown', 'executed']);
  });

  it('allows that the service acted when it is unknown or executed', () => {
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
      ...{ failure, retryClass: 'never', isForeign, clean, baseUrl: 'https://api.example.com' },
    });
    const error = toError(UNKNOWN_COMMAND);
    return { attempt, error, cause: error.cause as Error | undefined };
  };
  const withCode = (code: string, name = 'TypeError') =>
    Object.assign(new Error('secret words of the runtime'), { code, name });

  it('has a cause with the name and code of the original error, but not its message', () => {
    const { error, cause } = failed(withCode('ECONNRESET'), { connection: 'established' });
    expect(cause).toMatchObject({ name: 'TypeError', message: 'ECONNRESET', code: 'ECONNRESET' });
    expect(error.message).toContain(
      'the connection to https://api.example.com failed (ECONNRESET).',
    );
    expect(error.message).not.toContain('secret');
  });

  it('keeps a valid name of the failed system call', () => {
    const withCall = (syscall: unknown) =>
      failed(Object.assign(withCode('ECONNREFUSED'), { syscall })).cause;
    for (const name of ['connect', 'x'.repeat(20)]) {
      expect(withCall(name)).toHaveProperty('syscall', name);
    }
    for (const odd of ['connect secret', 5, '', 'x'.repeat(21)]) {
      expect(withCall(odd)).not.toHaveProperty('syscall');
    }
  });

  it('has a generic message and cause when the error has no code', () => {
    const { error, cause } = failed(new TypeError('secret words'));
    expect(cause?.message).toBe('the runtime reported no reason');
    expect(cause).not.toHaveProperty('code');
    expect(error.message).toContain('the connection to https://api.example.com could not be made.');
  });

  it.each([
    ['a code that quotes', 'token=abc'],
    ['a code without end', 'E'.repeat(61)],
    ['an empty code', ''],
  ])('drops %s', (_what, code) => {
    const { error, cause } = failed(withCode(code));
    expect(error.message).toContain('the connection to https://api.example.com could not be made.');
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
  ])('has for the error name "%s" the cause name %s', (name, kept) => {
    expect(failed(withCode('ECONNRESET', name)).cause?.name).toBe(kept);
  });

  it('has no cause when the thrown value is not an object', () => {
    expect(failed('text').cause).toBeUndefined();
  });

  it.each([
    [
      'ECONNREFUSED',
      'none',
      'no-connection',
      'not_sent',
      'connection to https://api.example.com could not be made',
    ],
    [
      'EMFILE',
      'none',
      'no-connection',
      'not_sent',
      'connection to https://api.example.com could not be made',
    ],
    [
      'ECONNRESET',
      'none',
      'no-connection',
      'not_sent',
      'connection to https://api.example.com could not be made',
    ],
    [
      'ECONNREFUSED',
      'unproven',
      'no-response',
      'unknown',
      'connection to https://api.example.com failed',
    ],
    [
      'EHOSTUNREACH',
      'established',
      'no-response',
      'unknown',
      'connection to https://api.example.com failed',
    ],
    [
      'EPROTO',
      'none',
      'final',
      'not_sent',
      'TLS connection to https://api.example.com could not be made',
    ],
    [
      'CERT_HAS_EXPIRED',
      'none',
      'final',
      'not_sent',
      'TLS connection to https://api.example.com could not be made',
    ],
    [
      'EPROTO',
      'established',
      'no-response',
      'unknown',
      'connection to https://api.example.com failed',
    ],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'unproven',
      'no-response',
      'unknown',
      'connection to https://api.example.com failed',
    ],
  ] as const)('with %s and connection %s is %s with outcome %s', (code, connection, kind, outcome, expectedMessage) => {
    const { attempt, error } = failed(withCode(code), { connection });
    expect(attempt).toEqual({
      ...{ status: undefined, outcome, kind, timedOut: false },
      probableOutcome: undefined,
    });
    expect(error.message).toContain(`the ${expectedMessage} (${code}).`);
    expect(error.name).toBe(expectedMessage.startsWith('TLS') ? 'TlsError' : 'ConnectionError');
  });

  it.each([
    [new TypeError('a secret mock'), 'threw TypeError: a *** mock.'],
    [new Error(''), 'threw Error.'],
    ['a secret text', 'threw the text "a *** text".'],
    [undefined, 'threw undefined.'],
    [7, 'threw 7.'],
    [new TypeError(`${'x'.repeat(400)} end`), `threw TypeError: ${'x'.repeat(300)}.`],
  ])('quotes what the caller’s own fetch threw: %s', (failure, expectedMessage) => {
    const own = { connection: 'unproven', isForeign: true } as const;
    const { attempt, error, cause } = failed(failure, own);
    expect(attempt).toMatchObject({ outcome: 'unknown', kind: 'no-response' });
    expect(error.message).toContain(`the fetch that sends requests ${expectedMessage}`);
    expect(`${cause?.message}${cause?.stack}`).not.toContain('secret');
  });

  it('treats an error code from a caller’s fetch as a failed connection', () => {
    const own = { connection: 'unproven', isForeign: true } as const;
    const { error } = failed(withCode('ECONNRESET'), own);
    expect(error.message).toContain(
      'the connection to https://api.example.com failed (ECONNRESET).',
    );
    expect(error.message).not.toContain('words of the runtime');
  });
});

describe('an exchange that timed out', () => {
  it.each([
    [undefined, 'none', 'not_sent', undefined, 'no-connection', 'connect'],
    [undefined, 'established', 'unknown', undefined, 'no-response', 'headers'],
    [undefined, 'unproven', 'unknown', undefined, 'no-response', 'headers'],
    [200, 'established', 'unknown', 'executed', 'no-response', 'body'],
    [299, 'established', 'unknown', 'executed', 'no-response', 'body'],
    [300, 'established', 'unknown', undefined, 'status', 'body'],
    [400, 'established', 'unknown', 'rejected', 'status', 'body'],
    [503, 'established', 'unknown', undefined, 'status', 'body'],
  ] as const)('after status %s with connection %s is %s, and probably %s', (...cell) => {
    const [status, connection, outcome, probableOutcome, kind, phase] = cell;
    const failed = timedOutExchange(
      { facts: exchange(status, connection), retryClass: 'never' },
      100,
    );
    expect(failed).toMatchObject({ status, outcome, probableOutcome, kind, timedOut: true });
    expect(failed.toError(UNKNOWN_COMMAND)).toMatchObject({ phase, timeoutMs: 100 });
    expect(outcomeOfExchange({ facts: exchange(status, connection), retryClass: 'never' })).toBe(
      outcome,
    );
  });

  it('is unknown for a read, unless the service refused the read', () => {
    const outcome = (status: number) =>
      timedOutExchange({ facts: exchange(status), retryClass: 'safe' }, 100).outcome;
    expect([outcome(200), outcome(404), outcome(500)]).toEqual(['unknown', 'rejected', 'unknown']);
  });

  it('in middleware never sent a request', () => {
    const failed = timedOutInMiddleware(100);
    expect(failed).toMatchObject({ outcome: 'not_sent', kind: 'final', timedOut: true });
    expect(failed.toError(UNKNOWN_COMMAND)).toMatchObject({ phase: 'middleware', timeoutMs: 100 });
  });
});

describe('an exchange whose body could not be read', () => {
  const failed = (status: number, failure: unknown, retryClass: RetryClass = 'never') =>
    failedExchange({
      facts: exchange(status),
      ...{ failure, retryClass, isForeign: false, clean, baseUrl: 'https://api.example.com' },
    });

  it.each([
    [200, new Error('cut'), 'no-response', 'executed'],
    [299, new Error('cut'), 'no-response', 'executed'],
    [300, new Error('cut'), 'status', undefined],
    [404, new Error('cut'), 'status', 'rejected'],
    [404, new BodyTooLong(9), 'final', 'rejected'],
    [408, new BodyTooLong(9), 'final', undefined],
    [200, new BodyNotText(), 'final', 'executed'],
    [200, new BodyTooLong(9), 'final', 'executed'],
    [500, new BodyTooLong(9), 'final', undefined],
    [200, new BodyMissing(), 'final', 'executed'],
  ] as const)('with status %i and %o is %s and unknown, probably %s', (status, failure, kind, probableOutcome) => {
    const outcomes = { outcome: 'unknown', probableOutcome };
    expect(failed(status, failure)).toMatchObject({ status, kind, ...outcomes, timedOut: false });
    const expected = failure instanceof BodyTooLong ? 'ResponseTooLargeError' : 'BodyReadError';
    expect(failed(status, failure).toError(UNKNOWN_COMMAND)).toMatchObject({
      name: expected,
      status,
    });
  });

  it('is unknown for a read with 2xx and rejected with 4xx', () => {
    const read = failed(200, new Error('cut'), 'safe');
    expect(read).toMatchObject({ outcome: 'unknown', probableOutcome: undefined });
    expect(failed(404, new Error('cut'), 'safe').outcome).toBe('rejected');
  });

  it('has a message that names the missing body', () => {
    expect(failed(200, new BodyMissing()).toError(UNKNOWN_COMMAND).message).toContain(
      'the response has neither a body stream nor text().',
    );
    expect(failed(200, new BodyMissing('stream', true)).toError(UNKNOWN_COMMAND).message).toContain(
      'the body stream of the response did not return bytes.',
    );
  });

  it('has a message that names the value when it is not a response at all', () => {
    const attempt = failed(200, new NotAResponse('an object without headers'));
    expect(attempt).toMatchObject({ kind: 'final', outcome: 'unknown' });
    expect(attempt.toError(UNKNOWN_COMMAND)).toMatchObject({
      name: 'ProtocolError',
      code: 'fetch_response_invalid',
    });
    expect(attempt.toError(UNKNOWN_COMMAND).message).toContain(
      'the fetch that sends requests returned an object without headers instead of a Response.',
    );
  });
});

describe('the outcome of a value that is not an error of this package', () => {
  it('is recorded for objects and unknown for everything else', () => {
    const reason = new Error('the user left');
    expect(outcomeOf(reason)).toBe('unknown');
    recordOutcome(reason, 'not_sent');
    expect(outcomeOf(reason)).toBe('not_sent');
    recordOutcome('text', 'not_sent');
    recordOutcome(null, 'not_sent');
    for (const other of ['text', 5, null, undefined, {}]) expect(outcomeOf(other)).toBe('unknown');
  });

  it('is unknown when calls that share the value end differently', () => {
    const reason = () => 'shared';
    recordOutcome(reason, 'not_sent');
    recordOutcome(reason, 'not_sent');
    expect(outcomeOf(reason)).toBe('not_sent');
    recordOutcome(reason, 'executed');
    expect(outcomeOf(reason)).toBe('unknown');
  });

  it('is never changed for an error with an outcome of its own', () => {
    const error = timedOutInMiddleware(1).toError({ ...UNKNOWN_COMMAND, outcome: 'not_sent' });
    recordOutcome(error, 'executed');
    expect(outcomeOf(error)).toBe('not_sent');
  });
});

describe('a deadline', () => {
  const never = () => new Promise<never>(() => {});

  it('reports its own limit, or the total limit when that is shorter', async () => {
    const deadline = new Deadline(new FakeClock(), 100, undefined);
    const first = await deadline.run(40, never).catch((error: unknown) => error);
    expect(first).toEqual({ kind: 'timeout', reason: 40 });
    // 60 of the 100 milliseconds are left.
    const second = await deadline.run(80, never).catch((error: unknown) => error);
    expect(second).toEqual({ kind: 'timeout', reason: 100 });
    expect(() => deadline.check()).toThrow(expect.objectContaining({ kind: 'timeout' }));
  });

  it('distinguishes an abort from a timeout', async () => {
    const controller = new AbortController();
    const deadline = new Deadline(new FakeClock({ auto: false }), 100, controller.signal);
    const running = deadline.run(40, never).catch((error: unknown) => error);
    controller.abort('enough');
    expect(await running).toEqual({ kind: 'aborted', reason: 'enough' });
    expect(() => deadline.check()).toThrow(
      expect.objectContaining({ kind: 'aborted', reason: 'enough' }),
    );
  });

  it('lets runBeyondTotal() work after its end, but still obeys the signal', async () => {
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
