import { describe, expect, it } from 'vitest';
import type { AccessTokenProvider } from '../../src/index.js';
import { createSessions, type Sessions } from '../../src/sessions/index.js';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { memoryStore, sessionsWith, twoRegions } from './support.js';

const GLOBAL = { region: 'global' } as const;

/** The provider of a client that follows the session. */
function followed(sessions: Sessions): AccessTokenProvider {
  let provider: AccessTokenProvider | undefined;
  sessions.clientOf({
    withAccessToken: (given: AccessTokenProvider) => {
      provider = given;
    },
  });
  return (request) => provider?.(request) ?? '';
}

describe('the tokens of a client that follows the session', () => {
  const ask = async (provider: AccessTokenProvider, rejectedToken?: string) =>
    provider(
      rejectedToken === undefined ? { reason: 'request' } : { reason: 'rejected', rejectedToken },
    );

  /** A session whose token is renewed again and again. */
  async function renewedSession() {
    let renewals = 0;
    const renew = () => ({ accessToken: `token-${++renewals}` });
    const { sessions } = sessionsWith({ renew });
    const provider = followed(sessions);
    await sessions.signIn({ accessToken: 'token-0', userId: 'ada' }, GLOBAL);
    const renewTimes = async (times: number) => {
      for (let time = 0; time < times; time++) {
        await ask(provider, await ask(provider));
      }
      return ask(provider);
    };
    return { sessions, provider, renewTimes };
  }

  it('are remembered with their session for a call that began 99 tokens ago', async () => {
    const { provider, renewTimes } = await renewedSession();
    expect(await renewTimes(99)).toBe('token-99');
    expect(await ask(provider, 'token-0')).toBe('token-99');
  });

  it('are forgotten after 100 others, and then the call gets no token of anybody', async () => {
    const { provider, renewTimes, sessions } = await renewedSession();
    expect(await renewTimes(100)).toBe('token-100');
    expect(await rejection(ask(provider, 'token-0'))).toMatchObject({ code: 'session_ended' });
    expect(sessions.getSnapshot().status).toBe('signed_in');
    expect(await ask(provider, 'token-1')).toBe('token-100');
  });
});

/** Two tabs with one store, and two users of one region. */
function twoTabs() {
  const { mock, ada, platforms, revoke } = twoRegions();
  const bob = mock.users.add({ email: 'bob@example.com', card: 'ACTIVE' });
  const store = memoryStore();
  const clock = new FakeClock({ auto: false });
  const renewed: unknown[] = [];
  const renew = async ({ userId }: { userId?: string | undefined }) => {
    renewed.push(userId);
    const user = [ada, bob].find(({ id }) => id === userId);
    if (user === undefined) throw new Error('nobody');
    return { accessToken: mock.accessTokenFor(user), userId: user.id };
  };
  const tab = () => createSessions({ store, clock, renew });
  const [one, two] = [tab(), tab()];
  const client = one.clientOf(platforms.global);
  const tokensOf = (user: typeof ada) => ({
    accessToken: mock.accessTokenFor(user),
    userId: user.id,
  });
  const frozen = () => [ada, bob].map((user) => user.card?.status === 'FROZEN');
  const sent = () => mock.requests.matching({ operation: 'card.freeze' }).length;
  return {
    mock,
    ada,
    bob,
    platforms,
    revoke,
    tab,
    clock,
    one,
    two,
    client,
    tokensOf,
    frozen,
    sent,
    renewed,
  };
}

describe('the client of whoever is signed in', () => {
  it('is created once, and follows a login, a logout and the next user of this program', async () => {
    const { ada, bob, one, client, tokensOf, frozen } = twoTabs();
    expect(await rejection(client.card.freeze())).toMatchObject({
      code: 'session_ended',
      reason: 'signed_out',
    });
    await one.signIn(tokensOf(ada), GLOBAL);
    await client.card.freeze();
    expect(frozen()).toEqual([true, false]);
    await one.signOut();
    expect(await rejection(client.card.unfreeze())).toMatchObject({ code: 'session_ended' });
    await one.signIn(tokensOf(bob), GLOBAL);
    await client.card.freeze();
    expect(frozen()).toEqual([true, true]);
  });

  it('works at the first call after a start, when nothing has been shown yet', async () => {
    const { ada, one, tab, tokensOf, platforms, frozen } = twoTabs();
    await one.signIn(tokensOf(ada), GLOBAL);
    await tab().clientOf(platforms.global).card.freeze();
    expect(frozen()).toEqual([true, false]);
  });

  it('sends nothing when another tab has signed in the same user in another region', async () => {
    const { ada, one, two, client, tokensOf, sent } = twoTabs();
    await one.signIn(tokensOf(ada), GLOBAL);
    await two.signIn(tokensOf(ada), { region: 'us' });
    expect(await rejection(client.card.freeze())).toMatchObject({ reason: 'replaced' });
    expect(sent()).toBe(0);
  });

  it('sends nothing when another tab has signed in somebody else, and shows it', async () => {
    const { ada, bob, clock, one, two, client, tokensOf, frozen, sent } = twoTabs();
    await one.signIn(tokensOf(ada), GLOBAL);
    await two.signIn(tokensOf(bob), GLOBAL);
    const shown: unknown[] = [];
    one.subscribe(() => shown.push(one.getSnapshot().session?.userId));

    const together = await Promise.all([
      rejection(client.card.freeze()),
      rejection(client.card.freeze()),
    ]);
    expect(together).toMatchObject([
      { code: 'session_ended', reason: 'replaced' },
      { code: 'session_ended', reason: 'replaced' },
    ]);
    expect([sent(), shown]).toEqual([0, [bob.id]]);

    clock.advance(999);
    expect(await rejection(client.card.freeze())).toMatchObject({ reason: 'replaced' });
    expect(sent()).toBe(0);
    clock.advance(1);
    await client.card.freeze();
    expect(frozen()).toEqual([false, true]);
  });

  it('sends nothing at once after `load` has found somebody else', async () => {
    const { ada, bob, clock, one, two, client, tokensOf, frozen } = twoTabs();
    await one.signIn(tokensOf(ada), GLOBAL);
    await two.signIn(tokensOf(bob), GLOBAL);
    await one.load();
    expect(await rejection(client.card.freeze())).toMatchObject({ reason: 'replaced' });
    clock.advance(1_000);
    await client.card.freeze();
    expect(frozen()).toEqual([false, true]);
  });

  it('works at once when this program itself signs somebody in after that', async () => {
    const { ada, bob, one, two, client, tokensOf, frozen } = twoTabs();
    await one.signIn(tokensOf(ada), GLOBAL);
    await two.signIn(tokensOf(bob), GLOBAL);
    await rejection(client.card.freeze());
    await one.signIn(tokensOf(bob), GLOBAL);
    await client.card.freeze();
    expect(frozen()).toEqual([false, true]);
  });

  it('sends nothing when another tab has signed in after this one showed a logout', async () => {
    const { ada, bob, one, two, client, tokensOf, sent } = twoTabs();
    await one.signIn(tokensOf(ada), GLOBAL);
    await one.signOut();
    await two.signIn(tokensOf(bob), GLOBAL);
    expect(await rejection(client.card.freeze())).toMatchObject({ reason: 'replaced' });
    expect(sent()).toBe(0);
  });

  it('goes on when another tab has signed in the same user again', async () => {
    const { ada, one, two, client, tokensOf, frozen } = twoTabs();
    await one.signIn(tokensOf(ada), GLOBAL);
    await two.signIn(tokensOf(ada), GLOBAL);
    await client.card.freeze();
    expect(frozen()).toEqual([true, false]);
  });

  it('does not take two logins for the same user when they do not name one', async () => {
    const { ada, one, two, client, tokensOf, sent } = twoTabs();
    const { accessToken } = tokensOf(ada);
    await one.signIn({ accessToken }, GLOBAL);
    await two.signIn({ accessToken: tokensOf(ada).accessToken }, GLOBAL);
    expect(await rejection(client.card.freeze())).toMatchObject({ reason: 'replaced' });
    expect(sent()).toBe(0);
  });

  it('renews a refused token for the user of the call', async () => {
    const { ada, one, client, tokensOf, frozen, renewed, revoke } = twoTabs();
    const tokens = tokensOf(ada);
    await one.signIn(tokens, GLOBAL);
    revoke(tokens.accessToken);
    await client.card.freeze();
    expect([frozen(), renewed]).toEqual([[true, false], [ada.id]]);
  });

  it('never goes on for another user who signs in while a call is running', async () => {
    const { mock, ada, bob, one, client, tokensOf, frozen, renewed } = twoTabs();
    await one.signIn(tokensOf(ada), GLOBAL);
    // The service refuses the token, and meanwhile the user changes in this very program.
    mock.fail('card.freeze', 401);
    const call = rejection(client.card.freeze());
    const change = one.signIn(tokensOf(bob), GLOBAL);
    await Promise.all([call, change]);
    expect([frozen(), renewed]).toEqual([[false, false], []]);
  });

  it('ends the session when the service refuses the renewed token too', async () => {
    const { mock, ada, one, client, tokensOf } = twoTabs();
    await one.signIn(tokensOf(ada), GLOBAL);
    mock.fail('card.freeze', 401, { times: 2 });
    expect(await rejection(client.card.freeze())).toMatchObject({ status: 401 });
    await expect
      .poll(() => one.getSnapshot())
      .toMatchObject({
        status: 'signed_out',
        reason: 'rejected',
      });
  });

  it('refuses a call to another region, and what is no client', async () => {
    const { ada, one, platforms, tokensOf } = twoTabs();
    await one.signIn(tokensOf(ada), GLOBAL);
    const us = one.clientOf(platforms.us);
    expect(await rejection(us.card.freeze())).toMatchObject({ code: 'session_mismatch' });
    for (const wrong of [undefined, null, {}, 'client']) {
      expect(() => one.clientOf(wrong as never)).toThrow(
        expect.objectContaining({ name: 'ConfigurationError', option: 'client' }),
      );
    }
  });
});
