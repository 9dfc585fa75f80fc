import { expect, it } from 'vitest';
import type { SessionsOptions } from '../../src/sessions/index.js';
import { clientFor, rejection } from '../support/clients.js';
import { memoryStore, sessionsWith, settle } from './support.js';

type Renew = NonNullable<SessionsOptions['renew']>;
const LOGIN = { accessToken: 'token-1', userId: 'ada', refreshToken: 'refresh-1' };
const NEXT = { accessToken: 'token-2', refreshToken: 'refresh-2', expiresIn: 3_600_000 };
const GLOBAL = { region: 'global' } as const;

it.each<[string, Renew | undefined]>([
  ['without renew', undefined],
  ['after a renewal', async () => NEXT],
])('the 401 page of a web server does not end a session %s', async (_, renew) => {
  const { sessions } = sessionsWith({ renew });
  const { accessToken } = await sessions.signIn(LOGIN, GLOBAL);
  const headers = { 'content-type': 'text/html' };
  const fetch = async () =>
    new Response('<html>401 Authorization Required</html>', { status: 401, headers });
  const client = clientFor('https://api.example.com', { fetch, accessToken });
  await rejection(client.card.status());
  await settle();
  expect(sessions.getSnapshot().status).toBe('signed_in');
});

it('signOut revokes the tokens of the last renewal, although the store failed then', async () => {
  const store = memoryStore();
  const renew: Renew = async () => {
    store.failing.set = true;
    return NEXT;
  };
  const { sessions, clock } = sessionsWith({ renew, store });
  const session = await sessions.signIn(LOGIN, GLOBAL);
  clock.advance(6 * 3_600_000);
  await rejection((async () => session.accessToken({ reason: 'request' }))());
  store.failing.set = false;
  const revoked: unknown[] = [];
  await sessions.signOut(({ refreshToken }) => revoked.push(refreshToken));
  expect(revoked).toEqual(['refresh-2']);
});
