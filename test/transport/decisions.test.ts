import { describe, expect, it } from 'vitest';
import { IDEMPOTENT, ISSUES_TOKEN, NEVER, SAFE } from '../../src/contract/retry-policy.js';
import {
  type AttemptCounters,
  canRetry,
  isInTime,
} from '../../src/transport/attempts/send-attempts.js';
import { type FailedAttempt, isRetryable } from '../../src/transport/outcome/failed-attempt.js';
import { SecretValues } from '../../src/transport/response/redact.js';

const failed = (kind: FailedAttempt['kind'], status?: number): FailedAttempt => ({
  kind,
  status,
  outcome: 'unknown',
  timedOut: false,
  toError: () => {
    throw new Error('toError() must not be called here');
  },
});
const counters = (facts: Partial<AttemptCounters>): AttemptCounters => ({
  attempts: 1,
  delivered: 0,
  connectFailures: 0,
  elapsed: 0,
  ...facts,
});

describe('whether another attempt is allowed', () => {
  const lost = failed('no-response');
  const refused = failed('no-connection');

  it.each([
    ['after one refused connection', refused, NEVER, { connectFailures: 1 }, true],
    ['after two refused connections', refused, NEVER, { connectFailures: 2 }, true],
    ['after three refused connections', refused, NEVER, { connectFailures: 3 }, false],
    [
      'after a refused connection and one delivered idempotent request',
      refused,
      IDEMPOTENT,
      { connectFailures: 1, delivered: 1 },
      true,
    ],
    [
      'after a refused connection and two delivered idempotent requests',
      refused,
      IDEMPOTENT,
      { connectFailures: 1, delivered: 2 },
      false,
    ],
    [
      'after a refused connection and one delivered request of class never',
      refused,
      NEVER,
      { connectFailures: 1, delivered: 1 },
      false,
    ],
    ['after three delivered reads', lost, SAFE, { delivered: 3 }, false],
    ['after two delivered reads', lost, SAFE, { delivered: 2 }, true],
    ['after a final failure', failed('final', 503), SAFE, { delivered: 1 }, false],
    ['after 408 to a read', failed('status', 408), SAFE, { delivered: 1 }, true],
    [
      'after 408 to a request of class never',
      failed('status', 408),
      NEVER,
      { delivered: 1 },
      false,
    ],
    ['after 501 to a read', failed('status', 501), SAFE, { delivered: 1 }, false],
  ] as const)('is decided %s', (_, how, policy, facts, expected) => {
    expect(canRetry(how, policy, counters(facts))).toBe(expected);
  });
});

describe('whether another request is in time', () => {
  const freeze = { ...IDEMPOTENT, within: 10_000 };

  it.each([
    ['at the end of the window', freeze, { delivered: 1, elapsed: 10_000 }, 0, true],
    ['1 ms after it', freeze, { delivered: 1, elapsed: 10_001 }, 0, false],
    ['with a wait until its end', freeze, { delivered: 1, elapsed: 4_000 }, 6_000, true],
    ['with a wait beyond it', freeze, { delivered: 1, elapsed: 4_000 }, 6_001, false],
    ['long after it, if nothing was sent', freeze, { elapsed: 60_000 }, 60_000, true],
    ['without a window', IDEMPOTENT, { delivered: 1, elapsed: 60_000 }, 60_000, true],
  ])('is decided %s', (_, policy, facts, delay, expected) => {
    expect(isInTime(policy, counters(facts), delay)).toBe(expected);
  });
});

describe('whether the caller may send the same call again', () => {
  it.each([
    [failed('no-connection'), 'not_sent', NEVER, true],
    [failed('no-response'), 'unknown', NEVER, false],
    [failed('no-response'), 'executed', NEVER, false],
    [failed('no-response'), 'unknown', SAFE, true],
    [failed('no-response'), 'executed', IDEMPOTENT, true],
    [failed('final'), 'not_sent', NEVER, false],
    [failed('final'), 'unknown', SAFE, false],
    [failed('status', 429), 'rejected', NEVER, true],
    [failed('status', 429), 'unknown', NEVER, false],
    [failed('status', 503), 'unknown', NEVER, false],
    [failed('status', 503), 'unknown', ISSUES_TOKEN, true],
    [failed('status', 408), 'unknown', SAFE, true],
    [failed('status', 400), 'rejected', NEVER, false],
    [failed('status', 404), 'rejected', SAFE, false],
  ] as const)('after %o with outcome %s by the policy %o: %s', (attempt, outcome, policy, expected) => {
    expect(isRetryable(attempt, outcome, policy)).toBe(expected);
  });
});

describe('redaction', () => {
  it('replaces a run of control characters by one space, so that words stay separate', () => {
    expect(new SecretValues([]).clean('\u0000 a\r\n\u202eb\u2028', 500)).toBe('a b');
  });

  it('removes the scheme only from the front of a token', () => {
    const secrets = new SecretValues(['Bearer one-token', 'my Bearer two']);
    expect(secrets.redact('one-token, my Bearer two, my two')).toBe(
      '[redacted], [redacted], my two',
    );
  });

  it('of JSON keeps exactly 32 levels', () => {
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
