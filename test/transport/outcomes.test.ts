import { describe, expect, it } from 'vitest';
import { Deadline } from '../../src/transport/attempts/deadline.js';
import {
  bodyEnding,
  connectionEnding,
  outcomeOfStatus,
  timeoutEnding,
} from '../../src/transport/outcome/attempt-result.js';
import { FakeClock } from '../support/fake-clock.js';

const FACTS = { operation: 'card.freeze', outcome: 'unknown', attempts: 1 } as const;

describe('what a status alone says', () => {
  it.each([
    [199, 'unknown'],
    [200, 'executed'],
    [299, 'executed'],
    [300, 'unknown'],
    [399, 'unknown'],
    [400, 'rejected'],
    [407, 'rejected'],
    [408, 'unknown'],
    [409, 'rejected'],
    [499, 'rejected'],
    [500, 'unknown'],
  ] as const)('%i: %s', (status, outcome) => {
    expect(outcomeOfStatus(status)).toBe(outcome);
  });
});

describe('the cause of a failed connection', () => {
  const failed = (failure: unknown, proves = true) => {
    const { toError, ...ending } = connectionEnding(failure, proves);
    return { ending, error: toError(FACTS), cause: toError(FACTS).cause as Error | undefined };
  };
  const withCode = (code: string, name = 'TypeError') =>
    Object.assign(new Error('secret words of the runtime'), { code, name });

  it('has name and code of the original, and none of its words', () => {
    const { error, cause } = failed(withCode('ECONNRESET'));
    expect(cause).toMatchObject({ name: 'TypeError', message: 'ECONNRESET', code: 'ECONNRESET' });
    expect(error.message).toContain('the connection failed (ECONNRESET).');
    expect(error.message).not.toContain('secret');
  });

  it('says so where there is no code', () => {
    const { error, cause } = failed(new TypeError('secret words'));
    expect(cause?.message).toBe('the runtime gives no reason');
    expect(cause).not.toHaveProperty('code');
    expect(error.message).toContain('the connection failed.');
  });

  it.each([
    ['a code that quotes', 'token=abc'],
    ['a code without end', 'E'.repeat(61)],
    ['an empty code', ''],
  ])('leaves out %s', (_what, code) => {
    const { error, cause } = failed(withCode(code));
    expect(error.message).toContain('the connection failed.');
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

  it('is none for what is no error', () => {
    expect(failed('text').cause).toBeUndefined();
  });

  it.each([
    ['ECONNREFUSED', true, 'connect', 'not_sent', 'could not be made (ECONNREFUSED).'],
    ['ECONNREFUSED', false, 'no-answer', 'unknown', 'failed (ECONNREFUSED).'],
    ['EPROTO', true, 'final', 'not_sent', 'has no valid TLS (EPROTO).'],
    ['EPROTO', false, 'no-answer', 'unknown', 'failed (EPROTO).'],
    ['ECONNRESET', true, 'no-answer', 'unknown', 'failed (ECONNRESET).'],
  ] as const)('%s, where the runtime proves it (%s), is %s', (code, proves, column, outcome, told) => {
    const { ending, error } = failed(withCode(code), proves);
    expect(ending).toEqual({ status: undefined, outcome, column, timedOut: false });
    expect(error.message).toContain(`the connection ${told}`);
  });
});

describe('an answer that is cut short', () => {
  it.each([
    [undefined, 'unknown', 'no-answer'],
    [200, 'executed', 'no-answer'],
    [299, 'executed', 'no-answer'],
    [300, 'unknown', 'status'],
    [400, 'rejected', 'status'],
    [503, 'unknown', 'status'],
  ] as const)('by time, after the status %s: %s', (status, outcome, column) => {
    const ending = timeoutEnding('body', 100, { phase: 'body', status });
    expect(ending).toMatchObject({ status, outcome, column, timedOut: true });
    expect(ending.toError(FACTS)).toMatchObject({ phase: 'body', timeoutMs: 100 });
  });

  it.each([
    [299, true, 'no-answer'],
    [300, true, 'status'],
    [200, false, 'final'],
    [500, false, 'final'],
  ] as const)('in its body, after %i (broken off: %s): %s', (status, brokeOff, column) => {
    expect(bodyEnding(new Error('cut'), status, brokeOff)).toMatchObject({ status, column });
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

  it('tells an abort from a lack of time', async () => {
    const controller = new AbortController();
    const deadline = new Deadline(new FakeClock({ auto: false }), 100, controller.signal);
    const running = deadline.run(40, never).catch((error: unknown) => error);
    controller.abort('enough');
    expect(await running).toEqual({ kind: 'aborted', reason: 'enough' });
    expect(() => deadline.check()).toThrow(
      expect.objectContaining({ kind: 'aborted', reason: 'enough' }),
    );
  });
});
