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

it('two handlers of one redirect without state exchange its code once', async () => {
  const store = memoryStore();
  const page = { baseUrl: BASE, clientId: 'c', redirectUri: 'https://app.example/in', store };
  await startOAuth2Login(page);
  const { fetch, requests } = scriptedFetch(json({ access_token: 'a', expires_in: 60 }));
  const client = clientFor(BASE, { fetch });
  const redirect = 'https://app.example/in?code=one';
  const finish = () => finishOAuth2Login(client, redirect, { store, region: 'global' });
  const ends = await Promise.allSettled([finish(), finish()]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await rejection(finish())).toMatchObject({ code: 'oauth_redirect_invalid' });
  expect(requests).toHaveLength(1);
});

/** A login whose page is open, and a client that gets these responses to its codes. */
async function openLogin(...responses: (() => Response | Promise<Response>)[]) {
  const store = memoryStore();
  const page = { baseUrl: BASE, clientId: 'c', redirectUri: 'https://app.example/in', store };
  const stateOf = async () =>
    new URL((await startOAuth2Login(page)).url).searchParams.get('state') ?? '';
  const codes: unknown[] = [];
  const client = clientFor(BASE, {
    fetch: async (_, { body }) => {
      codes.push(JSON.parse(String(body)).code);
      return responses.shift()?.() ?? json({ access_token: 'a', expires_in: 60 });
    },
  });
  const finish = (query: string) =>
    finishOAuth2Login(client, `https://app.example/in?${query}`, { store, region: 'global' });
  return { finish, stateOf, codes, store };
}
const refused = () => json({ error: 'invalid_grant' }, 400);

it('a redirect without state whose code is refused does not end the login that is open', async () => {
  const { finish, stateOf, codes } = await openLogin(refused);
  const state = await stateOf();
  await rejection(finish('code=forged'));
  expect(await finish(`code=real&state=${state}`)).toMatchObject({ region: 'global' });
  expect(codes).toEqual(['forged', 'real']);
  expect(await rejection(finish(`code=real&state=${state}`))).toMatchObject({
    code: 'oauth_redirect_invalid',
  });
});

it('a code without state that was perhaps accepted is not sent again', async () => {
  const lost = () => Promise.reject(new TypeError('Network request failed'));
  const { finish, stateOf, codes } = await openLogin(lost);
  await stateOf();
  expect(await rejection(finish('code=one'))).toMatchObject({ outcome: 'unknown' });
  expect(await rejection(finish('code=one'))).toMatchObject({ code: 'oauth_redirect_invalid' });
  expect(codes).toEqual(['one']);
});

it('a redirect with state whose code is refused ends the login', async () => {
  const { finish, stateOf } = await openLogin(refused);
  const state = await stateOf();
  expect(await rejection(finish(`code=real&state=${state}`))).toMatchObject({
    code: 'oauth_refused',
  });
  expect(await rejection(finish(`code=real&state=${state}`))).toMatchObject({
    code: 'oauth_redirect_invalid',
  });
});

it('a redirect without state does not replace a login that was started meanwhile', async () => {
  const { finish, stateOf } = await openLogin(async () => {
    state = await stateOf();
    return refused();
  });
  let state = await stateOf();
  await rejection(finish('code=forged'));
  expect(await finish(`code=real&state=${state}`)).toMatchObject({ region: 'global' });
});

it('a store that fails does not hide why the code was refused', async () => {
  const { finish, stateOf, store } = await openLogin(() => {
    store.update = () => Promise.reject(new Error('the text of the store'));
    return refused();
  });
  await stateOf();
  expect(await rejection(finish('code=forged'))).toMatchObject({ code: 'oauth_refused' });
});
