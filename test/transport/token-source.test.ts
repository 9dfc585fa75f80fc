import { describe, expect, it } from 'vitest';
import { TokenSource } from '../../src/transport/credentials/token-source.js';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const ignore = () => {};

function counting(renew: (times: number) => string | Promise<string>) {
  let times = 0;
  const clock = new FakeClock({ auto: false });
  const source = new TokenSource(() => renew(++times), clock);
  const renewed = (rejected: string, onInterrupt: (forget: () => void) => void = ignore) =>
    source.renew(rejected, 'card.status', onInterrupt, 'global');
  return { clock, source, renewed, times: () => times };
}

describe('a token source', () => {
  it('remembers its last thousand renewals by the rejected token', async () => {
    const { renewed, times } = counting((n) => `fresh-${n}`);
    expect(await renewed('first')).toBe('fresh-1');
    expect(await renewed('first')).toBe('fresh-1');
    for (let i = 0; i < 999; i++) await renewed(`other-${i}`);
    expect(await renewed('first')).toBe('fresh-1');
    expect(times()).toBe(1_000);
    await renewed('one more');
    expect(await renewed('first')).toBe('fresh-1002');
  });

  it('retries a failed renewal after a minute, and for another token at once', async () => {
    const failing = new Error('signed out');
    const { clock, renewed, times } = counting((n) => {
      if (n === 1) throw failing;
      return `fresh-${n}`;
    });
    expect(await rejection(renewed('a'))).toBe(failing);
    expect(await renewed('a')).toBeUndefined();
    expect(await renewed('b')).toBe('fresh-2');
    clock.advance(59_999);
    expect(await renewed('a')).toBeUndefined();
    clock.advance(1);
    expect(await renewed('a')).toBe('fresh-3');
    expect(times()).toBe(3);
  });

  it('renews again, once, after a caller stopped waiting for a renewal', async () => {
    const { renewed, times } = counting((n) => (n === 1 ? new Promise(() => {}) : `fresh-${n}`));
    const forget: (() => void)[] = [];
    renewed('a', (cut) => forget.push(cut));
    renewed('a', (cut) => forget.push(cut));
    await new Promise((resolve) => setImmediate(resolve));
    expect(times()).toBe(1);
    forget[0]?.();
    expect(await renewed('a')).toBe('fresh-2');
    // The second old caller must not discard the newer renewal.
    forget[1]?.();
    expect(await renewed('a')).toBe('fresh-2');
  });

  it('does not renew a fixed token', async () => {
    const source = new TokenSource('fixed', new FakeClock({ auto: false }));
    expect(await source.renew('fixed', 'card.status', ignore, 'global')).toBeUndefined();
    expect(source.fixed).toBe('fixed');
  });
});
