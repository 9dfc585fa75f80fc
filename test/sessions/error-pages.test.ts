import { describe, expect, it } from 'vitest';
import { revokeSession } from '../../src/observed/index.js';
import type { SessionsOptions } from '../../src/sessions/index.js';
import { scriptedProxy } from '../server/support.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { sessionsWith, settle } from './support.js';

const client = clientFor('https://api.example.com', {
  fetch: async () =>
    new Response('<html>401 Authorization Required</html>', {
      status: 401,
      headers: { 'content-type': 'text/html' },
    }),
});

/** The status of a session whose token has expired, after a renewal. */
async function statusAfter(renew: SessionsOptions['renew']) {
  const { sessions, clock } = sessionsWith({ renew });
  const login = { accessToken: 'token-1', userId: 'ada', refreshToken: 'refresh-1' };
  const session = await sessions.signIn(login, { region: 'global' });
  clock.advance(6 * 3_600_000);
  await rejection((async () => session.accessToken({ reason: 'request' }))());
  return sessions.getSnapshot().status;
}

describe('the 401 page of a server in front of the service', () => {
  it.each<[string, SessionsOptions['renew']]>([
    ['without renew', undefined],
    ['after a renewal', async () => ({ accessToken: 'token-2', expiresIn: 3_600_000 })],
  ])('does not end a session %s', async (_, renew) => {
    const { sessions } = sessionsWith({ renew });
    const { accessToken } = await sessions.signIn(
      { accessToken: 'token-1', userId: 'ada' },
      { region: 'global' },
    );
    await rejection(client.withAccessToken(accessToken).card.status());
    await settle();
    expect(sessions.getSnapshot().status).toBe('signed_in');
  });

  it.each([
    ['GET', undefined],
    ['POST', { retryClass: 'idempotent', body: {} }],
  ] as const)('that a renewal with %s gets does not end the session', async (method, request) => {
    const renew = async () => (await client.request(method, '/api/refresh', request)) as never;
    const { sessions, clock } = sessionsWith({ renew });
    const login = { accessToken: 'token-1', userId: 'ada', refreshToken: 'refresh-1' };
    const session = await sessions.signIn(login, { region: 'global' });
    clock.advance(6 * 3_600_000);
    const error = await rejection((async () => session.accessToken({ reason: 'request' }))());
    await settle();
    expect(error).toMatchObject({ code: 'session_not_renewed' });
    expect(sessions.getSnapshot().status).toBe('signed_in');
  });

  it.each([
    ['<html>401</html>', 'text/plain', 401, 'signed_in'],
    ['<html>401</html>', undefined, 401, 'signed_in'],
    ['<html>403</html>', 'text/html', 403, 'signed_in'],
    ['<html>403</html>', undefined, 403, 'signed_in'],
    ['<html>400</html>', 'text/plain', 400, 'signed_in'],
    ['invalid_grant', 'text/html', 400, 'signed_out'],
    // A firewall also responds so.
    ['', undefined, 400, 'signed_in'],
    ['', 'application/json', 403, 'signed_in'],
    ['', undefined, 401, 'signed_out'],
    ['{}', 'application/json', 403, 'signed_out'],
    ['{"message":"invalid_grant"}', 'text/html', 401, 'signed_out'],
    ['{"message":"invalid_grant"}', 'text/html', 403, 'signed_out'],
  ])('is recognised by its text: %s of type %s', async (text, type, status, expected) => {
    const labelled = clientFor('https://api.example.com', {
      fetch: async () =>
        new Response(new TextEncoder().encode(text), {
          status,
          headers: type === undefined ? {} : { 'content-type': type },
        }),
    });
    const request = { retryClass: 'idempotent', body: {} } as const;
    const renew = async () => (await labelled.request('POST', '/api/refresh', request)) as never;
    expect(await statusAfter(renew)).toBe(expected);
  });

  it.each([
    ['', undefined, 'signed_in'],
    ['<html>403</html>', 'text/html', 'signed_in'],
    ['{"code":7}', 'application/json', 'signed_out'],
  ])('of a server, passed on to its page, differs from a refusal there: %s', async (text, type, expected) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const { page } = scriptedProxy([new Response(text, { status: 403, headers })]);
    const renew = async () => (await page.card.status()) as never;
    expect(await statusAfter(renew)).toBe(expected);
  });

  it.each([
    'oauth',
    'oauth2',
    undefined,
  ])('does not mean that a token of kind %s is revoked', async (kind) => {
    const tokens = { accessToken: 'a', refreshToken: 'r', region: 'global', kind } as never;
    expect(await rejection(revokeSession(client)(tokens))).toMatchObject({ status: 401 });
  });

  it('does not hide that money may have moved', async () => {
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ status: 401, outcome: 'unknown', next: 'look_up' });
  });

  it('sends no page behind the proxy to the login', async () => {
    const headers = { 'content-type': 'text/html' };
    const { page } = scriptedProxy([new Response('<html>401</html>', { status: 401, headers })]);
    expect(await rejection(page.card.status())).toMatchObject({
      ...{ status: 401, isPage: true, next: 'contact' },
    });
  });

  it.each([
    400, 401, 403, 404, 409, 422, 498,
  ])('with status %i asks the user for nothing', async (status) => {
    const html = clientFor('https://api.example.com', {
      fetch: async () => new Response('<!doctype html><p>Blocked', { status }),
    });
    const error = await rejection(html.card.status());
    expect(error).toMatchObject({ status, isPage: true, next: 'contact' });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ isPage: true });
  });

  it('with status 429 can be retried, or looked up', async () => {
    const html = clientFor('https://api.example.com', {
      fetch: async () => new Response('<html>', { status: 429 }),
      retry: false,
    });
    expect(await rejection(html.card.status())).toMatchObject({ isPage: true, next: 'retry' });
    expect(await rejection(html.card.order())).toMatchObject({ isPage: true, next: 'look_up' });
  });

  it('differs from a refusal of the service', async () => {
    const refusing = clientFor('https://api.example.com', {
      fetch: async () => Response.json({ error: '<b>no</b>' }, { status: 401 }),
    });
    const error = await rejection(refusing.card.status());
    expect(error).toMatchObject({ isPage: false, next: 'log_in' });
    expect(JSON.stringify(error)).not.toContain('isPage');
  });

  it('differs from a refusal of the service in a page behind the proxy', async () => {
    const { page } = scriptedProxy([json({ message: 'expired' }, 401)]);
    expect(await rejection(page.card.status())).toMatchObject({ isPage: false, next: 'log_in' });
  });

  it('does not send the user to the login', async () => {
    const error = await rejection(client.card.status());
    expect(error).toMatchObject({ status: 401, next: 'contact' });
    expect(String(error)).not.toContain('Log in again');
  });
});
