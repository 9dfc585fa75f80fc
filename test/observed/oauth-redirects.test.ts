import { expect, it } from 'vitest';
import { finishOAuth2Login, startOAuth2Login } from '../../src/observed/oauth/page-login.js';
import { memoryStore } from '../../src/stores/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE = 'https://api.example.com';

it('two handlers of one redirect exchange its code once', async () => {
  const store = memoryStore();
  const { url } = await startOAuth2Login({
    baseUrl: BASE,
    clientId: 'c',
    redirectUri: 'https://app.example/in',
    store,
  });
  const state = new URL(url).searchParams.get('state');
  const { fetch, requests } = scriptedFetch(json({ access_token: 'a', expires_in: 60 }));
  const client = clientFor(BASE, { fetch });
  const redirect = `https://app.example/in?code=one&state=${state}`;
  const finish = () => finishOAuth2Login(client, redirect, { store, region: 'global' });
  await Promise.allSettled([finish(), finish()]);
  expect(requests).toHaveLength(1);
});

it.each([
  '',
  '?code=',
  '?other=1',
])('a redirect "%s" without a code does not end the login that is open', async (query) => {
  const store = memoryStore();
  const page = { baseUrl: BASE, clientId: 'c', redirectUri: 'https://app.example/in', store };
  const { url } = await startOAuth2Login(page);
  const { fetch } = scriptedFetch(json({ access_token: 'a', expires_in: 60 }));
  const finish = (text: string) =>
    finishOAuth2Login(clientFor(BASE, { fetch }), `https://app.example/in${text}`, {
      ...{ store, region: 'global' },
    });
  expect(await rejection(finish(query))).toMatchObject({ outcome: 'not_sent' });
  const state = new URL(url).searchParams.get('state');
  expect(await finish(`?code=one&state=${state}`)).toMatchObject({ region: 'global' });
});

it('two handlers of one redirect with an error both learn that error', async () => {
  const store = memoryStore();
  const page = { baseUrl: BASE, clientId: 'c', redirectUri: 'https://app.example/in', store };
  const state = new URL((await startOAuth2Login(page)).url).searchParams.get('state');
  const redirect = `https://app.example/in?error=access_denied&state=${state}`;
  const finish = () =>
    rejection(finishOAuth2Login(clientFor(BASE), redirect, { store, region: 'global' }));
  const errors = await Promise.all([finish(), finish()]);
  expect(errors.map((error) => Object(error).code)).toEqual([
    'oauth_redirect_error',
    'oauth_redirect_error',
  ]);
});
