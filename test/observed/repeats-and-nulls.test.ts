import { expect, it } from 'vitest';
import { observe } from '../../src/observed/index.js';
import { createRegistration } from '../../src/observed/registration/create-registration.js';
import { memoryStore } from '../../src/stores/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE = 'https://api.example.com';

it.each([
  ['no response', () => new TypeError('fetch failed')],
  ['a 500', () => json({ message: 'down' }, 500)],
])('user.registration.startVerification sends no second request after %s, as user.startVerification', async (_, first) => {
  for (const start of ['contract', 'registration'] as const) {
    const { fetch, requests } = scriptedFetch(
      first(),
      json({ sessionUrl: 'https://id.example/a' }),
    );
    const client = clientFor(BASE, { fetch });
    const store = memoryStore();
    await store.set(
      'card-platform.registration',
      JSON.stringify({ v: 1, region: 'global', step: 'identity', onboardingId: 'one' }),
    );
    await rejection(
      start === 'contract'
        ? client.user.startVerification()
        : createRegistration(client, { region: 'global', store }).startVerification(),
    );
    expect([start, requests.length]).toEqual([start, 1]);
  }
});

it.each([
  ['no response', () => new TypeError('fetch failed')],
  ['503', () => json({ message: 'down' }, 503)],
  ['429', () => json({ message: 'slow down' }, 429)],
])('card.provisioning.google is not sent again by itself after %s', async (_, failure) => {
  const { fetch, requests } = scriptedFetch(
    failure(),
    json({ success: true, data: { opaquePaymentCard: 'x' } }),
  );
  const client = clientFor(BASE, { fetch, retry: { baseDelay: 0 } });
  await rejection(observe(client).card.provisioning.google());
  expect(requests).toHaveLength(1);
});

it('auth.oauth2.revoke does not take a 401 of a retry for done', async () => {
  const { fetch } = scriptedFetch(
    new TypeError('fetch failed'),
    json({ message: 'Not authenticated' }, 401),
  );
  const revoke = observe(clientFor(BASE, { fetch })).auth.oauth2.revoke({
    token: 't',
    tokenHint: 'refresh_token',
  });
  expect(await rejection(revoke)).toMatchObject({ status: 401 });
});

it('a wait reads on after null, and throws no bare TypeError', async () => {
  const { fetch } = scriptedFetch(json('null'), json({ verificationState: 'VERIFIED' }));
  const user = await clientFor(BASE, { fetch }).user.waitUntilVerified({
    timeout: 500,
    interval: 5,
  });
  expect(user.verificationState).toBe('VERIFIED');
});

it('setLinkedOrder throws a ProtocolError when the list cannot be used', async () => {
  const responses = async (url: string) => (url.endsWith('card_linked') ? json('null') : json([]));
  const client = clientFor(BASE, { fetch: responses });
  expect(
    await rejection(
      observe(client).wallets.internal.setLinkedOrder([{ address: 'a', currency: 'usdc' }]),
    ),
  ).toMatchObject({ name: 'ProtocolError' });
});

it.each([
  't5',
  't3',
])('iterateTransactions reads the older pages although a whole page of new items arrived after %s', async (last) => {
  const rows = (from: number) => [0, 1].map((i) => ({ id: `t${from - i}` }));
  // Newest first; 2 per page. t8 and t7 arrive after page 0 was read.
  let newest = 6;
  const fetch = async (url: string) => {
    const page = Number(new URL(url).searchParams.get('page'));
    const first = newest - page * 2;
    return json(first > 0 ? rows(first) : rows(newest));
  };
  const seen: unknown[] = [];
  for await (const { id } of clientFor(BASE, {
    fetch: fetch as never,
  }).card.iterateTransactions()) {
    seen.push(id);
    if (id === last) newest = 8;
  }
  expect(seen).toEqual(['t6', 't5', 't4', 't3', 't2', 't1']);
});
