import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { untilAborted } from '../../src/contract/formats/abort-reason.js';
import { readClockOffset, tokenTimeLeft } from '../../src/delegation/delegation-token.js';
import { createReadingContext } from '../../src/delegation/reading-context.js';
import { sleep, within } from '../../src/delegation/runtime.js';

describe('sleep', () => {
  it('resolves after the given time and leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    await sleep(1, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('resolves at once when the signal is aborted before or during the wait', async () => {
    await sleep(2 ** 30, AbortSignal.abort());
    const page = new AbortController();
    const waiting = sleep(2 ** 30, page.signal);
    page.abort();
    await waiting;
    expect(getEventListeners(page.signal, 'abort')).toHaveLength(0);
  });
});

describe('waiting for pending work', () => {
  it('rejects with the reason of an aborted signal, and its later result is ignored', async () => {
    const page = new AbortController();
    let fail = (_: Error) => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const waiting = untilAborted(page.signal, work);
    page.abort('gone');
    await expect(waiting).rejects.toBe('gone');
    fail(new Error('too late to matter'));
    expect(getEventListeners(page.signal, 'abort')).toHaveLength(0);
  });

  it('rejects with the given error when it takes longer than its time limit', async () => {
    await expect(within(1, new Promise(() => {}), () => 'late')).rejects.toBe('late');
    await expect(within(2 ** 30, Promise.resolve('in time'), () => 'late')).resolves.toBe(
      'in time',
    );
  });

  it('leaves no timer once the work has ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await within(15_000, Promise.resolve(1), () => 'late');
    await within(15_000, Promise.reject(new Error('refused')), () => 'late').catch(() => undefined);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a read of the chain', () => {
  it.each([
    [{}, 15_000],
    [{ readTimeout: 40_000 }, 40_000],
  ])('with the options %j may take %i ms, and no longer', async (options, limit) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let error: unknown;
    const { read } = createReadingContext(options);
    read('the allowance', () => new Promise(() => {})).catch((reason: unknown) => {
      error = reason;
    });
    await vi.advanceTimersByTimeAsync(limit - 1);
    expect(error).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
  });

  it('waits with the sleep of the caller, which gets the signal of the flow', async () => {
    const { signal } = new AbortController();
    const waits: unknown[] = [];
    const sleep = async (milliseconds: number, given?: AbortSignal) => {
      waits.push([milliseconds, given]);
    };
    await createReadingContext({ signal, runtime: { sleep } }).sleep(250);
    expect(waits).toEqual([[250, signal]]);
  });
});

describe('a delegation token', () => {
  const token = { token: 't', nonce: 'n', requestedAt: 1_000, clockOffset: 0 };

  it.each([
    [1_000, 600_000],
    [601_000 - 1, 1],
    [601_000, 0],
    [2_000_000, 0],
    [999, 0],
  ])('at time %d has %d ms left when it was requested at time 1000', (now, left) => {
    expect(tokenTimeLeft(token, now)).toBe(left);
  });

  it('that was never requested has no time left', () => {
    expect(tokenTimeLeft(undefined, 0)).toBe(0);
  });
});

describe('the clock of the service', () => {
  const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 500);

  it.each([
    [30_000, 0],
    [30_001, 30_001],
    [-30_000, 0],
    [-30_001, -30_001],
  ])('that is ahead by %i ms is taken to be ahead by %i ms', async (ahead, expected) => {
    // The header has whole seconds.
    const date = new Date(NOW + 29_500).toUTCString();
    const now = NOW + 29_500 - ahead;
    const call = {
      withResponse: async () => ({
        data: { token: 't', nonce: 'n' },
        headers: new Headers({ date }),
      }),
    };
    const { clockOffset } = await readClockOffset(call as never, () => now);
    expect(clockOffset).toBe(expected);
  });

  it.each([
    undefined,
    'soon',
  ])('is taken for ours where the response has the date %s', async (date) => {
    const headers = new Headers(date === undefined ? {} : { date });
    const call = { withResponse: async () => ({ data: { token: 't', nonce: 'n' }, headers }) };
    const { clockOffset } = await readClockOffset(call as never, () => NOW);
    expect(clockOffset).toBe(0);
  });
});
