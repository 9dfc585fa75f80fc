import { expect, it } from 'vitest';
import { createRegistration } from '../../src/observed/registration/create-registration.js';
import { memoryStore } from '../../src/stores/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

it.each([
  ['at another step', { step: 'consent' }],
  ['before the phone is verified', { step: 'phone' }],
  ['that has ended', { step: 'identity', ended: 'outcome_unknown' }],
])('a registration %s starts no identity session', async (_, state) => {
  const store = memoryStore();
  const saved = { v: 1, region: 'global', onboardingId: 'one', ...state };
  await store.set('card-platform.registration', JSON.stringify(saved));
  const { fetch, requests } = scriptedFetch(json({ sessionUrl: 'https://id.example/page' }));
  const flow = createRegistration(clientFor('https://api.example.com', { fetch }), {
    region: 'global',
    store,
  });
  expect(await rejection(flow.startVerification())).toMatchObject({
    option: 'step',
    outcome: 'not_sent',
  });
  expect(requests).toHaveLength(0);
});
