import { describe, expect, it } from 'vitest';
import { SEND, type Send } from '../../src/transport/send.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { SESSION_TOKEN, scriptedProxy } from './support.js';

describe('a proxy whose client has endpointCredentials', () => {
  const validate = (session: () => { accessToken: string } | undefined) => {
    let read = 0;
    const scene = scriptedProxy(
      [() => json({ valid: true })],
      {
        allow: ['referral.validate', 'card.status'],
        session: () => {
          read++;
          return session();
        },
      },
      {
        accessToken: 'canary-token-of-the-client',
        endpointCredentials: {
          'referral.validate': ['clientKey', 'accessToken'],
          'card.status': ['clientKey'],
        },
      },
    );
    const tokens = () =>
      scene.requests.map(({ init }) => new Headers(init.headers).get('authorization'));
    return { ...scene, tokens, readings: () => read };
  };

  it('reads the session for an access token that the contract does not ask for', async () => {
    const { page, tokens } = validate(() => ({ accessToken: SESSION_TOKEN }));
    await page.referral.validate({ code: 'AB12' });
    expect(tokens()).toEqual([`Bearer ${SESSION_TOKEN}`]);
  });

  it('sends no token of the client in its place', async () => {
    const { page, tokens } = validate(() => undefined);
    const error = await rejection(page.referral.validate({ code: 'AB12' }));
    expect(error).toMatchObject({ status: 401, outcome: 'not_sent' });
    expect(tokens()).toEqual([]);
  });

  it('needs no session where no access token is sent', async () => {
    const { page, tokens, readings } = validate(() => undefined);
    await rejection(page.card.status());
    expect([tokens(), readings()]).toEqual([[null], 0]);
  });
});

describe('a proxy whose client only passes calls on', () => {
  const passedOn = (region?: 'global' | 'us') => {
    const { fetch, requests } = scriptedFetch(() => json({ id: 'c', status: 'ACTIVE' }));
    const client = clientFor('https://api.example.com', { fetch });
    const send = ((...call: Parameters<Send>) => client[SEND](...call)) as Send;
    const session = () => ({ accessToken: SESSION_TOKEN, region });
    const { page } = scriptedProxy([], { client: { [SEND]: send }, session });
    return { page, requests };
  };

  it.each(['global', undefined] as const)('goes by the contract: %s', async (region) => {
    const { page, requests } = passedOn(region);
    expect(await page.card.status()).toMatchObject({ status: 'ACTIVE' });
    const tokens = requests.map(({ init }) => new Headers(init.headers).get('authorization'));
    expect(tokens).toEqual([`Bearer ${SESSION_TOKEN}`]);
  });

  it('refuses calls for the US if neither session nor client shows that they are', async () => {
    const { page, requests } = passedOn();
    for (const call of [
      page.delegation.getToken({ region: 'us' }),
      page.card.status({ region: 'us' }),
    ]) {
      expect(await rejection(call)).toMatchObject({
        code: 'request_invalid',
        outcome: 'not_sent',
        issues: [{ path: 'region', message: 'must be the region of the session' }],
      });
    }
    expect(requests).toEqual([]);
  });
});
