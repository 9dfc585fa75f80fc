import { describe, expect, it } from 'vitest';
import { renewOAuth } from '../../src/observed/index.js';
import { isSessionError, type SessionsOptions } from '../../src/sessions/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { KEY, memoryStore, sessionsWith } from './support.js';

type Renew = NonNullable<SessionsOptions['renew']>;

const HOUR_MS = 3_600_000;
const LOGIN = { accessToken: 'token-1', userId: 'ada', refreshToken: 'refresh-1' };
const GLOBAL = { region: 'global' } as const;

/** Signs in, lets the token expire, and asks for another one. */
async function askAfter(renew?: Renew) {
  const { sessions, clock } = sessionsWith({ renew });
  const session = await sessions.signIn(LOGIN, GLOBAL);
  clock.advance(6 * HOUR_MS);
  const error = await rejection((async () => session.accessToken({ reason: 'request' }))());
  return { error, sessions };
}

const failing = (thrown: unknown) => askAfter(() => Promise.reject(thrown));

/** An error of an application, whose text repeats a token. */
const named = (name: unknown) => Object.assign(new Error('token-1 was refused'), { name });

describe('the cause of a renewal that failed', () => {
  it.each([
    ['a name', named('DiskFull'), 'DiskFull'],
    ['a name of 60 characters', named('x'.repeat(60)), 'x'.repeat(60)],
    ['a name of 61 characters', named('x'.repeat(61)), 'Error'],
    ['a name of several words', named('token-1 refused'), 'Error'],
    ['a name that ends in a token', named('Refused: token1'), 'Error'],
    ['a name that begins with a token', named('token1: refused'), 'Error'],
    ['an empty name', named(''), 'Error'],
    ['a number as its name', named(7), 'Error'],
    ['a text', 'token-1', 'Error'],
    ['null', null, 'Error'],
  ])('keeps the name of a foreign error if it is a word, and never its text: %s', async (_, thrown, name) => {
    const { error } = await failing(thrown);
    expect(error).toMatchObject({ code: 'session_not_renewed', isRetryable: true, next: 'retry' });
    const { cause } = error as Error;
    expect(String(cause)).toBe(name);
    expect((cause as Error).message).toBe('');
  });
});

describe('the message of a session', () => {
  it.each<[string, () => Promise<{ error: unknown }>]>([
    ['the session has expired', () => askAfter()],
    [
      'the access token was refused or could not be renewed',
      async () => {
        const client = clientFor('https://api.example.com', {
          fetch: async () => json({ message: 'invalid_grant' }, 400),
        });
        return askAfter(async () => {
          await client.request('POST', '/renewal', { retryClass: 'idempotent', body: {} });
          return undefined;
        });
      },
    ],
    [
      'somebody has logged in since, so this session has ended',
      async () => {
        const { sessions } = sessionsWith();
        const session = await sessions.signIn(LOGIN, GLOBAL);
        await sessions.signIn({ accessToken: 'token-g', userId: 'grace' }, GLOBAL);
        return {
          error: await rejection((async () => session.accessToken({ reason: 'request' }))()),
        };
      },
    ],
    [
      'the user has signed out',
      async () => {
        const { sessions } = sessionsWith();
        const session = await sessions.signIn(LOGIN, GLOBAL);
        await sessions.signOut();
        return {
          error: await rejection((async () => session.accessToken({ reason: 'request' }))()),
        };
      },
    ],
  ])('that has ended says why, that nothing was done, and what to do: %s', async (why, end) => {
    const { error } = await end();
    expect(error).toMatchObject({ code: 'session_ended', outcome: 'not_sent', isRetryable: false });
    expect(String(error)).toBe(
      `SessionError: ${why}, and the call had no effect. Ask the user to log in.`,
    );
  });

  it('whose token was not renewed says that the user is still logged in', async () => {
    const { error } = await failing(new Error('offline'));
    expect(String(error)).toContain('The user is still logged in: try again later.');
    expect(JSON.parse(JSON.stringify(error))).not.toHaveProperty('reason');
  });

  it('whose store returned something else than text says so, and that the call may be sent again', async () => {
    const store = { ...memoryStore(), get: () => 7 as never };
    const { sessions } = sessionsWith({ store });
    const error = await rejection(sessions.load());
    expect(error).toMatchObject({ code: 'session_store_failed', isRetryable: true });
    expect(String(error)).toContain('Check the store, then try again.');
    expect(String(error)).toContain('In detail: get returned something other than text.');
  });

  it('whose store failed repeats no text of the store', async () => {
    const store = memoryStore();
    const { sessions } = sessionsWith({ store });
    await sessions.signIn(LOGIN, GLOBAL);
    store.failing.get = true;
    const error = await rejection(sessions.load());
    expect(String(error)).not.toMatch(/disk|In detail/);
    expect(String((error as Error).cause)).toBe('Error');
  });

  it('of another user says whose token to use', async () => {
    const { sessions } = sessionsWith({ renew: () => ({ accessToken: 't', userId: 'grace' }) });
    const error = await rejection(sessions.signIn(LOGIN, { ...GLOBAL, userId: 'grace' }));
    expect(error).toMatchObject({ code: 'session_mismatch', isRetryable: false });
    expect(String(error)).toContain(
      "Use a token of the session's user, and a client for its region.",
    );
  });
});

it('the JSON of a session that has ended has its reason', async () => {
  const { error } = await askAfter();
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({
    code: 'session_ended',
    reason: 'expired',
  });
});

it('isSessionError is true for errors of a session only, and for their code only', async () => {
  const { error } = await askAfter();
  const { fetch } = scriptedFetch(json({ message: 'no' }, 403));
  const other = await rejection(clientFor('https://api.example.com', { fetch }).card.status());
  expect([error, other, new Error('x'), undefined].map((one) => isSessionError(one))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(isSessionError(error, 'session_ended')).toBe(true);
  expect(isSessionError(error, 'session_mismatch')).toBe(false);
});

describe('a session that was stored as ended', () => {
  it.each([
    'expired',
    'rejected',
    'replaced',
    'signed_out',
    'renewal_unknown',
  ])('is signed out with its reason: %s', async (ended) => {
    const store = memoryStore();
    store.entries.set(KEY, JSON.stringify({ v: 2, rev: 'r', id: 'i', ended }));
    const { sessions } = sessionsWith({ store });
    expect(await sessions.load()).toEqual({
      status: 'signed_out',
      session: undefined,
      reason: ended,
    });
  });

  it('with a reason that nobody writes is no session', async () => {
    const store = memoryStore();
    store.entries.set(KEY, JSON.stringify({ v: 2, rev: 'r', id: 'i', ended: 'bored' }));
    const { sessions } = sessionsWith({ store });
    expect(await sessions.load()).not.toHaveProperty('reason', 'bored');
  });
});

describe('a renewal', () => {
  it('that asks for a one-time password with status 200 ends the session', async () => {
    const client = clientFor('https://api.example.com', {
      fetch: async () => json({ isOtpRequired: true, userId: 'ada', phoneNumber: '+1' }),
    });
    const { error } = await askAfter(() =>
      client.auth.login({ email: 'ada@example.com', password: 'x' }).then(() => undefined),
    );
    expect(error).toMatchObject({ code: 'session_ended', reason: 'rejected' });
    const refused = await rejection(client.auth.login({ email: 'ada@example.com', password: 'x' }));
    expect(refused).toMatchObject({
      status: 200,
      code: 'otp_required',
      isJson: true,
      isPage: false,
    });
  });

  it('whose refresh token the sign-in service refuses ends the session', async () => {
    const client = clientFor('https://api.example.com', {
      fetch: async () => json({ error: 'invalid_grant' }, 400),
    });
    const { error } = await askAfter(renewOAuth(client, { checkConnection: false }));
    expect(error).toMatchObject({ code: 'session_ended', reason: 'rejected' });
  });

  it('with a 401 that may belong to a done request does not end the session', async () => {
    const client = clientFor('https://api.example.com', {
      fetch: async () => json({ txHash: `0x${'5a'.repeat(32)}` }, 401),
    });
    const { error, sessions } = await askAfter(async () => {
      await client.wallets.credit.withdraw({ amount: '1' });
      return undefined;
    });
    expect(error).toMatchObject({ code: 'session_not_renewed' });
    expect(sessions.getSnapshot().status).toBe('signed_in');
  });

  it('that takes its refresh token twice at once gets it once', async () => {
    const taken: unknown[] = [];
    const { sessions, clock } = sessionsWith({
      renew: async ({ takeRefreshToken }) => {
        taken.push(...(await Promise.allSettled([takeRefreshToken(), takeRefreshToken()])));
        return undefined;
      },
    });
    const session = await sessions.signIn(LOGIN, GLOBAL);
    clock.advance(6 * HOUR_MS);
    await rejection((async () => session.accessToken({ reason: 'request' }))());
    expect(taken).toMatchObject([
      { status: 'fulfilled', value: 'refresh-1' },
      { status: 'rejected', reason: { code: 'session_not_renewed' } },
    ]);
  });
});

it('the end of a session whose last tokens could not be saved is written over the record before them', async () => {
  const store = memoryStore();
  const { sessions, clock } = sessionsWith({
    store,
    renew: () => ({ accessToken: 'token-2', expiresIn: HOUR_MS }),
  });
  const { accessToken } = await sessions.signIn(LOGIN, GLOBAL);
  clock.advance(6 * HOUR_MS);
  const { update } = store;
  let writes = 0;
  // The first change marks the renewal, the second one stores its tokens.
  store.update = (key, change) => {
    if (key === KEY && ++writes > 1) throw new Error('the disk is full');
    update(key, change);
  };
  const error = await rejection((async () => accessToken({ reason: 'request' }))());
  expect(error).toMatchObject({ code: 'session_store_failed' });
  const end = async () => accessToken.onRenewedTokenRejected?.('token-2');
  expect(await rejection(end())).toMatchObject({ code: 'session_store_failed' });
  expect(sessions.getSnapshot()).toMatchObject({ status: 'signed_out', reason: 'rejected' });
  expect(store.entries.get(KEY)).toContain('token-1');
  store.update = update;
  expect(await sessions.load()).toMatchObject({ status: 'signed_out', reason: 'rejected' });
  expect(store.entries.get(KEY)).not.toContain('token-');
});
