import { describe, expect, it, vi } from 'vitest';
import { CallInterrupted } from '../../src/transport/attempts/deadline.js';
import { TokenSource } from '../../src/transport/credentials/credentials.js';
import { FakeClock } from '../support/fake-clock.js';

const ignore = () => {};
/** A call that asked for its token before any renewal. */
const refused = (token: string, since = 0) => ({
  token,
  since,
  operation: 'card.status',
  region: undefined,
});
const timeout = new CallInterrupted('timeout', 5_000);

describe('the renewal of a refused token', () => {
  it('that failed is tried again after a minute, and not before', async () => {
    const clock = new FakeClock({ auto: false });
    const provider = vi.fn(() => Promise.reject(new Error('the login is down')));
    const source = new TokenSource(provider, clock);
    await expect(source.renew(refused('old'), ignore)).rejects.toThrow('down');
    clock.advance(59_999);
    await expect(source.renew(refused('old'), ignore)).rejects.toMatchObject({
      message: expect.stringContaining('its renewal failed less than a minute ago'),
      cause: { message: 'the login is down' },
    });
    expect(provider).toHaveBeenCalledTimes(1);
    clock.advance(1);
    await expect(source.renew(refused('old'), ignore)).rejects.toThrow('down');
    expect(provider).toHaveBeenCalledTimes(2);
  });

  it('stays shared when a call gives up an older renewal of that token', async () => {
    const provider = vi.fn(() => new Promise<never>(() => {}));
    const source = new TokenSource(provider, new FakeClock({ auto: false }));
    const giveUp: ((interruption: CallInterrupted) => void)[] = [];
    const renew = () => void source.renew(refused('old'), (leave) => giveUp.push(leave));
    // Two calls wait for a renewal that hangs. The first one runs out of time, and the next call asks again.
    renew();
    renew();
    giveUp[0]?.(timeout);
    renew();
    expect(provider).toHaveBeenCalledTimes(2);
    giveUp[1]?.(timeout);
    renew();
    expect(provider).toHaveBeenCalledTimes(2);
  });

  it('is shared by the calls with that token, of which the last thousand are remembered', async () => {
    let asked = 0;
    const source = new TokenSource(async () => `new-${++asked}`, new FakeClock({ auto: false }));
    const renew = (token: string) => source.renew(refused(token), ignore);
    for (let number = 0; number < 1_000; number++) await renew(`old-${number}`);
    expect(await renew('old-0')).toBe('new-1');
    expect(asked).toBe(1_000);
    await renew('old-1000');
    expect(await renew('old-1')).toBe('new-2');
    expect(asked).toBe(1_001);
    // Only the oldest one was forgotten.
    expect(await renew('old-0')).toBe('new-1002');
  });

  it('that has been renewed again is not the oldest one any more', async () => {
    let asked = 0;
    const source = new TokenSource(async () => `new-${++asked}`, new FakeClock({ auto: false }));
    const renew = (token: string, since = 0) => source.renew(refused(token, since), ignore);
    await renew('old-0');
    expect(await renew('old-0', source.renewed)).toBe('new-2');
    for (let number = 1; number < 1_000; number++) await renew(`old-${number}`);
    await renew('old-0', source.renewed);
    await renew('old-1000');
    expect(await renew('old-0')).toBe('new-1002');
    expect(asked).toBe(1_003);
  });
});
