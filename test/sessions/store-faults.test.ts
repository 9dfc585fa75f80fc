import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createSessions, isSessionError } from '../../src/sessions/index.js';
import { FakeClock } from '../support/fake-clock.js';
import { faultyStore, STORE_FAULTS } from '../support/faulty-stores.js';
import { asyncStore, settle, twoRegions } from './support.js';

const STORE_TIMEOUT = 5_000;
/** An operation uses the store a few times, and looks again at one that another tab may have changed. */
const MOST_TIME = 6 * STORE_TIMEOUT;
const MOST_USES = 60;

/** Whatever became of it, within the time that the store has. */
async function ended(clock: FakeClock, work: Promise<unknown>): Promise<unknown> {
  let result: unknown = 'still running';
  work.then(
    (value) => {
      result = value;
    },
    (error: unknown) => {
      result = error;
    },
  );
  for (let passed = 0; passed <= MOST_TIME; passed += STORE_TIMEOUT) {
    await settle();
    if (result !== 'still running') break;
    clock.advance(STORE_TIMEOUT);
  }
  return result;
}

describe.each(STORE_FAULTS)('where %s', (...row) => {
  function setUp() {
    const { mock, ada, platforms, revoke } = twoRegions();
    const clock = new FakeClock({ auto: false });
    const { store, uses } = faultyStore(asyncStore(), row);
    let renewals = 0;
    const sessions = createSessions({
      store,
      clock,
      storeTimeout: STORE_TIMEOUT,
      renewTimeout: STORE_TIMEOUT,
      renew: async (held) => {
        if ((await held.takeRefreshToken()) === undefined) return undefined;
        renewals++;
        return { accessToken: mock.accessTokenFor(ada), refreshToken: `refresh-${renewals}` };
      },
    });
    const accessToken = mock.accessTokenFor(ada);
    const tokens = { accessToken, refreshToken: 'refresh-0' };
    const user = sessions.clientOf(platforms.global);
    const freezes = () => mock.requests.filter(({ path }) => path.endsWith('/freeze')).length;
    return { mock, clock, uses, sessions, tokens, user, revoke, freezes, renewed: () => renewals };
  }

  const expectFailure = (error: unknown) => {
    expect(isSessionError(error, 'session_store_failed'), inspect(error)).toBe(true);
    expect(error).toMatchObject({ outcome: 'not_sent' });
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toMatch(/token-1|refresh-\d/);
  };

  it('from the start, a sign-in says so, and nobody is signed in', async () => {
    const { clock, uses, sessions, tokens, user, mock } = setUp();
    uses.isFaulty = true;
    expectFailure(await ended(clock, sessions.signIn(tokens, { region: 'global' })));
    expect(sessions.getSnapshot().status).not.toBe('signed_in');
    const error = await ended(clock, user.card.freeze());
    expect(isSessionError(error), inspect(error)).toBe(true);
    expect(mock.requests).toEqual([]);
    expect(uses.count).toBeLessThan(MOST_USES);
  });

  it('later, everything ends, and no call is sent that the store does not allow', async () => {
    const { clock, uses, sessions, tokens, user, revoke, freezes, renewed } = setUp();
    await ended(clock, sessions.signIn(tokens, { region: 'global' }));
    await ended(clock, user.card.freeze());
    expect(freezes()).toBe(1);
    uses.isFaulty = true;
    const before = uses.count;

    const loaded = await ended(clock, sessions.load());
    if (loaded instanceof Error) expectFailure(loaded);
    expect(loaded instanceof Error).toBe(row[1] === 'get');
    const unfrozen = await ended(clock, user.card.unfreeze());
    if (unfrozen instanceof Error) expectFailure(unfrozen);
    // Without `get`, nobody knows whether another tab has signed out.
    expect(unfrozen instanceof Error).toBe(row[1] === 'get');

    revoke(tokens.accessToken);
    const renewal = await ended(clock, user.card.freeze());
    expect(isSessionError(renewal) || !(renewal instanceof Error), inspect(renewal)).toBe(true);
    // A refresh token that cannot be marked as taken is not sent.
    if (row[1] === 'update') expect(renewed()).toBe(0);

    const signedOut = await ended(clock, sessions.signOut());
    if (row[1] === 'update') expectFailure(signedOut);
    else expect(signedOut).toBe(undefined);
    expect(uses.count - before).toBeLessThan(MOST_USES);
    expect(clock.pending).toBe(0);
  });

  it('and works again, the next sign-in and the next call succeed', async () => {
    const { clock, uses, sessions, tokens, user, freezes } = setUp();
    uses.isFaulty = true;
    await ended(clock, sessions.signIn(tokens, { region: 'global' }));
    uses.isFaulty = false;
    // What the store had not answered is given up when its time is over.
    clock.advance(MOST_TIME);
    await settle();
    expect(await ended(clock, sessions.signIn(tokens, { region: 'global' }))).not.toBeInstanceOf(
      Error,
    );
    expect(await ended(clock, user.card.freeze())).not.toBeInstanceOf(Error);
    expect(freezes()).toBe(1);
  });
});
