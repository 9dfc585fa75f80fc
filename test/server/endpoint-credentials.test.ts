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

it('a proxy whose client only passes calls on goes by the contract', async () => {
  const { fetch, requests } = scriptedFetch(() => json({ id: 'c', status: 'ACTIVE' }));
  const client = clientFor('https://api.example.com', { fetch });
  const send = ((...call: Parameters<Send>) => client[SEND](...call)) as Send;
  const session = () => ({ accessToken: SESSION_TOKEN, region: 'global' as const });
  const { page } = scriptedProxy([], { client: { [SEND]: send }, session });
  expect(await page.card.status()).toMatchObject({ status: 'ACTIVE' });
  const tokens = requests.map(({ init }) => new Headers(init.headers).get('authorization'));
  expect(tokens).toEqual([`Bearer ${SESSION_TOKEN}`]);
});
