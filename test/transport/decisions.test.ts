import { describe, expect, it } from 'vitest';
import { IDEMPOTENT, NEVER, SAFE } from '../../src/contract/retry-policy.js';
import { type AttemptCounters, canRetry } from '../../src/transport/attempts/retry-decision.js';
import { type FailedAttempt, isRetryable } from '../../src/transport/outcome/attempt-result.js';
import { SecretValues } from '../../src/transport/response/redact.js';

const failed = (kind: FailedAttempt['kind'], status?: number): FailedAttempt => ({
  kind,
  status,
  outcome: 'unknown',
  timedOut: false,
  toError: () => {
    throw new Error('not asked for');
  },
});
const counters = (facts: Partial<AttemptCounters>): AttemptCounters => ({
  attempts: 1,
  delivered: 0,
  connectFailures: 0,
  elapsed: 0,
  ...facts,
});

describe('the limits of retrying', () => {
  const freeze = { ...IDEMPOTENT, within: 10_000 };
  const lost = failed('no-response');
  const refused = failed('no-connection');

  it.each([
    ['at its last moment', lost, freeze, { delivered: 1, elapsed: 10_000 }, true],
    ['a moment later', lost, freeze, { delivered: 1, elapsed: 10_001 }, false],
    [
      'late, but nothing ever arrived',
      refused,
      freeze,
      { connectFailures: 1, elapsed: 60_000 },
      true,
    ],
    ['late, where no moment is set', lost, IDEMPOTENT, { delivered: 1, elapsed: 60_000 }, true],
    ['refused once', refused, NEVER, { connectFailures: 1 }, true],
    ['refused twice', refused, NEVER, { connectFailures: 2 }, true],
    ['refused three times', refused, NEVER, { connectFailures: 3 }, false],
    ['refused after one arrived', refused, IDEMPOTENT, { connectFailures: 1, delivered: 1 }, true],
    ['refused after all arrived', refused, IDEMPOTENT, { connectFailures: 1, delivered: 2 }, false],
    ['refused after the only one', refused, NEVER, { connectFailures: 1, delivered: 1 }, false],
    ['arrived as often as it may', lost, SAFE, { delivered: 3 }, false],
    ['arrived once less', lost, SAFE, { delivered: 2 }, true],
    ['final', failed('final', 503), SAFE, { delivered: 1 }, false],
    ['408', failed('status', 408), SAFE, { delivered: 1 }, true],
    ['408 where a lost response is final', failed('status', 408), NEVER, { delivered: 1 }, false],
    ['501', failed('status', 501), SAFE, { delivered: 1 }, false],
  ] as const)('%s', (_, how, policy, facts, expected) => {
    expect(canRetry(how, policy, counters(facts))).toBe(expected);
  });
});

describe('whether the caller may send the same call again', () => {
  it.each([
    [failed('no-connection'), 'not_sent', 'never', true],
    [failed('no-response'), 'unknown', 'never', false],
    [failed('no-response'), 'executed', 'never', false],
    [failed('no-response'), 'unknown', 'safe', true],
    [failed('no-response'), 'executed', 'idempotent', true],
    [failed('final'), 'not_sent', 'never', false],
    [failed('final'), 'unknown', 'safe', false],
    [failed('status', 429), 'rejected', 'never', true],
    [failed('status', 429), 'unknown', 'never', false],
    [failed('status', 503), 'unknown', 'never', false],
    [failed('status', 503), 'unknown', 'issues-token', true],
    [failed('status', 408), 'unknown', 'safe', true],
    [failed('status', 400), 'rejected', 'never', false],
    [failed('status', 404), 'rejected', 'safe', false],
  ] as const)('%o, %s, class %s: %s', (attempt, outcome, retryClass, expected) => {
    expect(isRetryable(attempt, outcome, retryClass)).toBe(expected);
  });
});

describe('redaction', () => {
  it('puts one space for a run of control characters, so that words stay apart', () => {
    expect(new SecretValues([]).clean('\u0000 a\r\n\u202eb\u2028', 500)).toBe('a b');
  });

  it('takes the scheme off the front of a token only', () => {
    const secrets = new SecretValues(['Bearer one-token', 'my Bearer two']);
    expect(secrets.redact('one-token, my Bearer two, my two')).toBe(
      '[redacted], [redacted], my two',
    );
  });

  it('of JSON keeps 32 levels and no more', () => {
    const nested = (depth: number, object: boolean): unknown =>
      depth === 0
        ? 'leaf'
        : object
          ? { a: nested(depth - 1, object) }
          : [nested(depth - 1, object)];
    for (const object of [true, false]) {
      const shown = (depth: number) =>
        JSON.stringify(new SecretValues([]).redactJson(nested(depth, object)));
      expect(shown(32)).toContain('leaf');
      expect(shown(33)).not.toContain('leaf');
      expect(shown(33)).toContain('[redacted]');
    }
  });
});
