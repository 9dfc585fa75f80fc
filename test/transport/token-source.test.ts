import { describe, expect, it, vi } from 'vitest';
import { TokenSource } from '../../src/transport/credentials/credentials.js';
import { FakeClock } from '../support/fake-clock.js';

const ignore = () => {};

describe('the renewal of a refused token', () => {
  it('that failed is tried again after a minute, and not before', async () => {
    const clock = new FakeClock({ auto: false });
    const provider = vi.fn(() => Promise.reject(new Error('the login is down')));
    const source = new TokenSource(provider, clock);
    await expect(source.renew('old', 'card.status', ignore, undefined)).rejects.toThrow('down');
    clock.advance(59_999);
    expect(await source.renew('old', 'card.status', ignore, undefined)).toBeUndefined();
    expect(provider).toHaveBeenCalledTimes(1);
    clock.advance(1);
    await expect(source.renew('old', 'card.status', ignore, undefined)).rejects.toThrow('down');
    expect(provider).toHaveBeenCalledTimes(2);
  });

  it('stays shared when a call gives up an older renewal of that token', async () => {
    const provider = vi.fn(() => new Promise<never>(() => {}));
    const source = new TokenSource(provider, new FakeClock({ auto: false }));
    const giveUp: (() => void)[] = [];
    const renew = () =>
      void source.renew('old', 'card.status', (forget) => giveUp.push(forget), undefined);
    // Two calls wait for a renewal that hangs. The first one gives up, and the next call asks again.
    renew();
    renew();
    giveUp[0]?.();
    renew();
    expect(provider).toHaveBeenCalledTimes(2);
    giveUp[1]?.();
    renew();
    expect(provider).toHaveBeenCalledTimes(2);
  });

  it('is shared by the calls with that token, of which the last thousand are remembered', async () => {
    let asked = 0;
    const source = new TokenSource(async () => `new-${++asked}`, new FakeClock({ auto: false }));
    const renew = (token: string) => source.renew(token, 'card.status', ignore, undefined);
    for (let number = 0; number < 1_000; number++) await renew(`old-${number}`);
    expect(await renew('old-0')).toBe('new-1');
    expect(asked).toBe(1_000);
    await renew('old-1000');
    expect(await renew('old-1')).toBe('new-2');
    expect(asked).toBe(1_001);
    // Only the oldest one was forgotten.
    expect(await renew('old-0')).toBe('new-1002');
  });
});
