import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CallInterrupted, Deadline } from '../../src/transport/attempts/deadline.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

describe('work within the total time of a call', () => {
  it.each([
    [59, 59],
    [60, 100],
    [61, 100],
  ])('that may take %i ms of the 60 left of 100 reports that %i ms ran out', async (limit, reported) => {
    const clock = new FakeClock({ auto: false });
    const deadline = new Deadline(clock, 100, undefined);
    clock.advance(40);
    const ended = deadline.run(limit, () => new Promise(() => {})).catch((error) => error);
    clock.advance(60);
    expect(await ended).toEqual(new CallInterrupted('timeout', reported));
  });

  it('reports the limit of the call when a renewal hangs after an attempt', async () => {
    const clock = new FakeClock();
    const client = clientFor('https://api.example.com', {
      clock,
      fetch: async () => {
        clock.advance(5_000);
        return json({ message: 'jwt expired' }, 401);
      },
      accessToken: ({ reason }) => (reason === 'request' ? 'old' : new Promise(() => {})),
    });
    const error = await rejection(client.card.status());
    expect(error).toMatchObject({ phase: 'credentials', timeoutMs: 60_000 });
    expect(String(error)).toContain('timed out after 60000 ms (credentials)');
  });
});

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
