import { describe, expect, it } from 'vitest';
import type { CardPlatformClient } from '../../src/client.js';
import { nextStepOf, outcomeOf } from '../../src/index.js';
import { createJournal } from '../../src/journal/journal.js';
import { createSessions, type Session, type Sessions } from '../../src/sessions/index.js';
import type { AccessTokenProvider } from '../../src/transport/credentials/credentials.js';
import { settled } from '../query/set-up.js';
import { mockProxy, scriptedProxy } from '../server/support.js';
import { memoryStore, settle } from '../sessions/support.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const BASE_URL = 'https://api.example.com';
const LOGIN = { accessToken: 'token-1', userId: 'ada' };
const GLOBAL = { region: 'global' } as const;

/** A service that accepts only these tokens. The responses to the calls of a `slow` client wait. */
function service(...accepted: string[]) {
  let respond = () => {};
  const isDue = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const sent: string[] = [];
  const respondTo = async (_: string, { headers }: RequestInit) => {
    const token = new Headers(headers).get('authorization')?.slice(7) ?? '';
    sent.push(token);
    return accepted.includes(token)
      ? json({ id: token, status: 'ACTIVE' })
      : json({ message: 'Not authenticated' }, 401);
  };
  const slow: typeof respondTo = async (...request) => {
    const response = await respondTo(...request);
    if (response.status === 401) await isDue;
    return response;
  };
  return { accepted, sent, respondTo, slow, respond: () => respond() };
}

/** A provider that returns `old`, and another token after each refusal. It counts the refusals. */
function renewing(first = 'old') {
  const refusals: (string | undefined)[] = [];
  const provider: AccessTokenProvider = async ({ reason, rejectedToken }) => {
    if (reason === 'request') return first;
    refusals.push(rejectedToken);
    return `new-${refusals.length}`;
  };
  return { provider, refusals };
}

const read = (client: CardPlatformClient, signal?: AbortSignal) => client.card.status({ signal });

/** A client whose responses with 401 may wait, all with the tokens of one provider. */
function clients(tokens: AccessTokenProvider | Sessions, ...accepted: string[]) {
  const clock = new FakeClock({ auto: false });
  const { respondTo, slow, ...all } = service(...accepted);
  let isSlow = false;
  const fetch: typeof slow = (...request) => (isSlow ? slow(...request) : respondTo(...request));
  const options = { fetch, clock, retry: false } as const;
  const client =
    typeof tokens === 'function'
      ? clientFor(BASE_URL, { ...options, accessToken: tokens })
      : tokens.clientOf(clientFor(BASE_URL, { ...options, accessToken: undefined }));
  /** Begins a call whose 401 arrives only after `respond()`. */
  const beginSlow = async () => {
    isSlow = true;
    const call = read(client);
    call.catch(() => undefined);
    await settle();
    isSlow = false;
    return { late: call };
  };
  return { ...all, clock, client, beginSlow };
}

describe('a call whose 401 arrives after a renewal of its token failed', () => {
  it('rejects with the same error of the session, and not as if the user must log in', async () => {
    const store = memoryStore();
    let renewals = 0;
    const renew = async () => {
      renewals++;
      throw new Error('offline');
    };
    const sessions = createSessions({ store, renew, clock: new FakeClock({ auto: false }) });
    const { accessToken } = await sessions.signIn(LOGIN, GLOBAL);
    const { client, beginSlow, respond } = clients(accessToken);
    const { late } = await beginSlow();
    const first = await rejection(read(client));
    expect(first).toMatchObject({ name: 'SessionError', code: 'session_not_renewed' });
    respond();
    const second = await rejection(late);
    expect(second).toMatchObject({ code: 'session_not_renewed', next: 'retry' });
    expect(renewals).toBe(1);
    expect(sessions.getSnapshot().status).toBe('signed_in');
  });

  it.each([
    ['follow the user', (all: Sessions) => all],
    ['are of the session', (_: Sessions, { accessToken }: Session) => accessToken],
  ])('uses the token that the session has got since, where its tokens %s', async (_, tokensOf) => {
    const outcomes = ['offline', 'token-2'];
    const renew = async () => {
      const outcome = outcomes.shift() ?? '';
      if (outcome === 'offline') throw new Error(outcome);
      return { accessToken: outcome };
    };
    const clock = new FakeClock({ auto: false });
    const sessions = createSessions({ store: memoryStore(), renew, clock });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    const { client, beginSlow, respond } = clients(tokensOf(sessions, session), 'token-2');
    const { late } = await beginSlow();
    expect(await rejection(read(client))).toMatchObject({ code: 'session_not_renewed' });
    expect((await read(client)).id).toBe('token-2');
    respond();
    expect((await late).id).toBe('token-2');
  });

  it.each([
    ['follow the user', (all: Sessions) => all],
    ['are of the session', (_: Sessions, { accessToken }: Session) => accessToken],
  ])('says that the session has ended since, where its tokens %s', async (_, tokensOf) => {
    const renew = () => Promise.reject(new Error('offline'));
    const clock = new FakeClock({ auto: false });
    const sessions = createSessions({ store: memoryStore(), renew, clock });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    const { client, beginSlow, respond } = clients(tokensOf(sessions, session));
    const { late } = await beginSlow();
    await rejection(read(client));
    await sessions.signOut();
    respond();
    expect(await rejection(late)).toMatchObject({ code: 'session_ended', reason: 'signed_out' });
  });

  it.each([
    ['follow the user', 'refused', (all: Sessions) => all],
    ['follow the user', 'expired', (all: Sessions) => all],
    ['are of the session', 'refused', (_: Sessions, { accessToken }: Session) => accessToken],
    ['are of the session', 'expired', (_: Sessions, { accessToken }: Session) => accessToken],
  ] as const)('gets no later token of the session that cannot be used either, where its tokens %s: %s', async (_, end, tokensOf) => {
    const outcomes = ['offline', 'token-2'];
    const renew = async () => {
      const accessToken = outcomes.shift();
      if (accessToken === 'token-2') return { accessToken, expiresIn: 10_000 };
      throw new Error('offline');
    };
    const clock = new FakeClock({ auto: false });
    const sessions = createSessions({ store: memoryStore(), renew, clock });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    const { client, beginSlow, respond, accepted, sent } = clients(tokensOf(sessions, session));
    const { late } = await beginSlow();
    const notRenewed = { code: 'session_not_renewed', next: 'retry' };
    expect(await rejection(read(client))).toMatchObject(notRenewed);
    if (end === 'expired') accepted.push('token-2');
    const second = await settled(read(client));
    expect(second).toMatchObject(end === 'expired' ? { id: 'token-2' } : notRenewed);
    clock.advance(end === 'expired' ? 10_000 : 0);
    respond();
    // To send it would look as if the service had refused a renewed token, which ends the session.
    expect(await rejection(late)).toMatchObject(notRenewed);
    expect(sent).toEqual(['token-1', 'token-1', 'token-2']);
    expect(sessions.getSnapshot().status).toBe('signed_in');
  });

  it('has an outcome of its own, where the provider of the application threw the error', async () => {
    const offline = new Error('offline');
    const accessToken: AccessTokenProvider = async ({ reason }) => {
      if (reason === 'request') return 'old';
      throw offline;
    };
    let freezes = 0;
    const client = clientFor(BASE_URL, {
      accessToken,
      clock: new FakeClock(),
      fetch: async (url) =>
        url.endsWith('/freeze') && ++freezes === 1
          ? json({ message: 'later' }, 503)
          : json({ message: 'Not authenticated' }, 401),
    });
    const withdraw = () => rejection(client.wallets.credit.withdraw({ amount: '10' }));
    expect(await rejection(read(client))).toBe(offline);
    const freeze = await rejection(client.card.freeze());
    const withdrawals = [await withdraw(), await withdraw()];
    const again = await rejection(read(client));
    const all = [offline, freeze, ...withdrawals, again];
    expect(all.map(outcomeOf)).toEqual(['rejected', 'unknown', 'rejected', 'rejected', 'rejected']);
    expect(all.map(nextStepOf)).toEqual(['retry', 'look_up', 'show_user', 'show_user', 'retry']);
    for (const later of all.slice(1)) {
      expect(later).toMatchObject({
        message:
          'the access token was refused, and its renewal failed less than a minute ago (see cause).',
        cause: offline,
      });
    }
  });

  it('asks again after an abort of the work of one caller, which says nothing about the token', async () => {
    const answers = [new DOMException('gone', 'AbortError'), 'new'];
    const provider: AccessTokenProvider = async ({ reason }) => {
      if (reason === 'request') return 'old';
      const answer = answers.shift();
      if (typeof answer === 'string') return answer;
      throw answer;
    };
    const { client } = clients(provider, 'new');
    expect(await rejection(read(client))).toMatchObject({ name: 'AbortError' });
    expect((await read(client)).id).toBe('new');
  });
});

describe('a call whose 401 arrives after a renewal of its token succeeded', () => {
  it('uses the new token, without another renewal', async () => {
    const { provider, refusals } = renewing();
    const { client, beginSlow, respond } = clients(provider, 'new-1');
    const { late } = await beginSlow();
    expect((await read(client)).id).toBe('new-1');
    respond();
    expect((await late).id).toBe('new-1');
    expect(refusals).toEqual(['old']);
  });

  it('gets no token of a session that has been signed out since', async () => {
    const store = memoryStore();
    const renew = () => ({ accessToken: 'token-2' });
    const sessions = createSessions({ store, renew, clock: new FakeClock({ auto: false }) });
    const { accessToken } = await sessions.signIn(LOGIN, GLOBAL);
    const { client, beginSlow, respond, sent } = clients(accessToken, 'token-2');
    const { late } = await beginSlow();
    expect((await read(client)).id).toBe('token-2');
    await sessions.signOut();
    respond();
    expect(await rejection(late)).toMatchObject({ code: 'session_ended', reason: 'signed_out' });
    expect(sent).toEqual(['token-1', 'token-1', 'token-2']);
  });
});

it('a provider that returns the refused token again is asked again, so that no old renewal is used', async () => {
  const { provider, refusals } = renewing();
  const { client, accepted } = clients(provider, 'new-1');
  expect((await read(client)).id).toBe('new-1');
  accepted.splice(0, 1, 'new-2');
  expect((await read(client)).id).toBe('new-2');
  expect(refusals).toEqual(['old', 'old']);
});

describe('a renewal that calls wait for', () => {
  /** A provider whose renewals last until the test ends them. */
  function held() {
    const ends: ((token: string) => void)[] = [];
    const provider: AccessTokenProvider = async ({ reason }) =>
      reason === 'request' ? 'old' : new Promise((resolve) => ends.push(resolve));
    return { provider, ends };
  }

  it('is shared by a later call, although a call was aborted meanwhile', async () => {
    const { provider, ends } = held();
    const { client } = clients(provider, 'new');
    const controller = new AbortController();
    const aborted = rejection(read(client, controller.signal));
    const waiting = read(client);
    await settle();
    controller.abort(new Error('the component has gone'));
    await aborted;
    const later = read(client);
    await settle();
    expect(ends).toHaveLength(1);
    ends[0]?.('new');
    expect([(await waiting).id, (await later).id]).toEqual(['new', 'new']);
  });

  /** A client whose journal has an open withdrawal. All later requests need another token than `old`. */
  async function withOpenEntry(accessToken: AccessTokenProvider) {
    let isLost = true;
    const { respondTo } = service('new');
    const client = clientFor(BASE_URL, {
      accessToken,
      clock: new FakeClock({ auto: false }),
      retry: false,
      journal: createJournal({ store: memoryStore(), user: 'ada' }),
      fetch: (url, init) => (isLost ? Promise.reject(new Error('lost')) : respondTo(url, init)),
    });
    await rejection(client.wallets.credit.withdraw({ amount: '10' }));
    isLost = false;
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('the journal has no entry');
    return { client, entry };
  }

  it('is shared by a later call, although one was aborted while a journal waits too', async () => {
    const { provider, ends } = held();
    const { client, entry } = await withOpenEntry(provider);
    const looked = settled(client.journal.reconcile(entry));
    await settle();
    expect(ends).toHaveLength(1);
    const controller = new AbortController();
    const aborted = rejection(read(client, controller.signal));
    await settle();
    controller.abort(new Error('the component has gone'));
    await aborted;
    const later = read(client);
    await settle();
    expect(ends).toHaveLength(1);
    ends[0]?.('new');
    expect((await later).id).toBe('new');
    await looked;
  });

  it('is not shared any more when the only look of a journal has been aborted', async () => {
    const { provider, ends } = held();
    const { client, entry } = await withOpenEntry(provider);
    const controller = new AbortController();
    const { signal } = controller;
    const looked = rejection(client.journal.reconcile(entry, { signal }));
    await settle();
    expect(ends).toHaveLength(1);
    controller.abort(new Error('the page has gone'));
    await looked;
    const later = read(client);
    await settle();
    expect(ends).toHaveLength(2);
    ends[1]?.('new');
    expect((await later).id).toBe('new');
  });

  it('is not shared any more when the last call has been aborted, because it may hang', async () => {
    const { provider, ends } = held();
    const { client } = clients(provider, 'new');
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = [rejection(read(client, signal)), rejection(read(client, signal))];
    await settle();
    controller.abort(new Error('the page has gone'));
    await Promise.all(aborted);
    const later = read(client);
    await settle();
    expect(ends).toHaveLength(2);
    ends[1]?.('new');
    expect((await later).id).toBe('new');
  });

  it.each([
    ['the total time of a call', (clock: FakeClock) => clock.advance(5_000)],
    [
      'a signal with a time limit',
      (_: FakeClock, controller: AbortController) =>
        controller.abort(new DOMException('too long', 'TimeoutError')),
    ],
  ])('is not shared any more when it outlives %s, although others wait', async (_, end) => {
    const { provider, ends } = held();
    const { client, clock } = clients(provider, 'new');
    const controller = new AbortController();
    const { signal } = controller;
    const hung = rejection(client.card.status({ signal, totalTimeout: 5_000 }));
    const waiting = rejection(read(client));
    await settle();
    end(clock, controller);
    await hung;
    const later = read(client);
    await settle();
    expect(ends).toHaveLength(2);
    ends[1]?.('new');
    expect((await later).id).toBe('new');
    clock.advance(120_000);
    await waiting;
  });
});

describe('calls with a provider of their own', () => {
  it('share a renewal if they have the same one, and a failed renewal is not tried again', async () => {
    const { respondTo } = service('new-1');
    const clock = new FakeClock({ auto: false });
    const client = clientFor(BASE_URL, { fetch: respondTo, clock });
    const { provider: accessToken, refusals } = renewing();
    const cards = await Promise.all(
      Array.from({ length: 5 }, () => client.card.status({ accessToken })),
    );
    expect(cards.map(({ id }) => id)).toEqual(Array.from({ length: 5 }, () => 'new-1'));
    expect(refusals).toEqual(['old']);

    let failures = 0;
    const failing: AccessTokenProvider = async ({ reason }) => {
      if (reason === 'request') return 'stale';
      failures++;
      throw new Error('the login is down');
    };
    const down = { message: 'the login is down' };
    for (const expected of [down, { cause: down }, { cause: down }]) {
      const error = await rejection(client.card.status({ accessToken: failing }));
      expect(error).toMatchObject(expected);
    }
    expect(failures).toBe(1);
  });

  it('share it with a client that was made of the same one with the same provider', async () => {
    const { respondTo } = service('new-1');
    const client = clientFor(BASE_URL, { fetch: respondTo });
    const { provider, refusals } = renewing();
    await Promise.all([
      client.card.status({ accessToken: provider }),
      client.withAccessToken(provider).card.status(),
      client.withAccessToken(provider).card.status(),
    ]);
    expect(refusals).toEqual(['old']);
  });
});

describe('the requests of a page through a proxy', () => {
  it('share a renewal if the session has the same provider', async () => {
    const refusals: unknown[] = [];
    let token = 'canary-stale-token';
    const accessToken: AccessTokenProvider = async ({ reason, rejectedToken }) => {
      if (reason === 'rejected') {
        refusals.push(rejectedToken);
        await settle();
        token = mock.accessTokenFor(user);
      }
      return token;
    };
    const { mock, user, page } = mockProxy({ session: () => ({ accessToken }) });
    const cards = await Promise.all(Array.from({ length: 6 }, () => page.card.status()));
    expect(cards.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'ACTIVE'));
    expect(refusals).toEqual(['canary-stale-token']);
  });

  it('show no token of a shared renewal to any page', async () => {
    const { respondTo } = service('canary-new-token');
    const accessToken: AccessTokenProvider = async ({ reason }) => {
      if (reason === 'request') return 'canary-stale-token';
      await settle();
      return 'canary-new-token';
    };
    // The service repeats the token in its response.
    const { page } = scriptedProxy(
      [json({})],
      { session: () => ({ accessToken }) },
      { fetch: respondTo },
    );
    const cards = await Promise.all(Array.from({ length: 3 }, () => page.card.status()));
    expect(cards).toMatchObject(Array.from({ length: 3 }, () => ({ status: 'ACTIVE' })));
    expect(JSON.stringify(cards)).not.toContain('canary');
  });
});
