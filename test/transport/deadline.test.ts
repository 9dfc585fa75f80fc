import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CallInterrupted, Deadline } from '../../src/transport/attempts/deadline.js';
import { FakeClock } from '../support/fake-clock.js';

describe('work beyond the total time of a call', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['succeeds', async () => 'done'],
    ['fails', () => Promise.reject(new Error('failed'))],
  ])('leaves no listener on the signal of the caller when it %s', async (_, work) => {
    const clock = new FakeClock({ auto: false });
    const { signal } = new AbortController();
    const deadline = new Deadline(clock, 1_000, signal);
    deadline.release();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await deadline.runBeyondTotal(5_000, work).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(clock.pending).toBe(0);
  });

  it('ends at its own limit, and leaves no listener', async () => {
    const clock = new FakeClock({ auto: false });
    const { signal } = new AbortController();
    const deadline = new Deadline(clock, 1_000, signal);
    deadline.release();
    const running = deadline.runBeyondTotal(5_000, () => new Promise(() => {}));
    const ended = running.catch((error: unknown) => error);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    clock.advance(4_999);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    clock.advance(1);
    expect(await ended).toEqual(new CallInterrupted('timeout', 5_000));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
