import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { observe } from '../../src/observed/index.js';
import { finishOAuth2Login, startOAuth2Login } from '../../src/observed/oauth/page-login.js';
import { createRegistration } from '../../src/observed/registration/create-registration.js';
import { memoryStore } from '../../src/stores/index.js';
import { clientFor, clientReceiving, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE = 'https://api.example.com';
const KEY = 'card-platform.registration';
const ID = '11111111-2222-4333-8444-555555555555';

describe('resume with the onboardingId of another person', () => {
  it('links no consents of the first person to the second', async () => {
    const store = memoryStore();
    await store.set(
      KEY,
      JSON.stringify({
        v: 1,
        region: 'global',
        step: 'address',
        onboardingId: 'of-ada',
        consentSetId: 'consents-of-ada',
      }),
    );
    const linked: unknown[] = [];
    const { fetch } = scriptedFetch(
      json({
        firstName: 'Bob',
        lastName: 'B',
        dateOfBirth: '1990-01-01T00:00:00Z',
        phoneNumber: '1',
      }),
      json({ accessToken: 'token-of-bob', onboardingId: 'of-bob', user: { id: 'bob' } }),
    );
    const flow = createRegistration(clientFor(BASE, { fetch }), {
      region: 'global',
      store,
      consents: {
        create: async () => ({ consentSetId: 'consents-of-bob' }),
        link: async (ids) => void linked.push(ids),
      },
    });
    const progress = await flow.resume({ onboardingId: 'of-bob', phase: 'PHYSICAL_ADDRESS' });
    // Bob has recorded no consents yet.
    expect(progress).toMatchObject({ step: 'consent' });
    expect(linked).toEqual([]);
  });

  const bob = { firstName: 'Bob', lastName: 'B', dateOfBirth: '1990-01-01', phoneNumber: '1' };
  const consents = {
    create: async () => ({ consentSetId: 'consents-of-bob' }),
    link: async () => undefined,
  };
  async function begun(saved: object, ...responses: Response[]) {
    const store = memoryStore();
    await store.set(KEY, JSON.stringify({ v: 1, region: 'global', ...saved }));
    const { fetch, requests } = scriptedFetch(...responses);
    const flow = createRegistration(clientFor(BASE, { fetch }), {
      ...{ region: 'global', store, consents },
    });
    return { flow, requests };
  }

  it('gives the second person no access token of the first', async () => {
    const { flow } = await begun(
      { step: 'address', onboardingId: 'of-ada', consentSetId: 'consents-of-ada' },
      json({ accessToken: 'token-of-ada', onboardingId: 'of-ada', user: { id: 'ada' } }),
      json(bob),
      json({ onboardingId: 'of-bob', user: { id: 'bob' } }),
    );
    const address = { addressLine1: '1 Road', city: 'Lisbon', zip: '1000' };
    expect(await flow.submitAddress(address)).toMatchObject({ step: 'link_consent' });
    await flow.resume({ onboardingId: 'of-bob', phase: 'PHYSICAL_ADDRESS' });
    await flow.recordConsent({ tenantId: 't', policyType: 'global', consents: CONSENTS });
    expect(await flow.submitAddress(address)).toMatchObject({ step: 'link_consent' });
    expect(await flow.linkConsent()).toMatchObject({ status: 'log_in', reason: 'no_token' });
  });

  it('names no consents of the first person when the second must log in', async () => {
    const { flow } = await begun(
      { step: 'address', onboardingId: 'of-ada', consentSetId: 'consents-of-ada' },
      json({ addressLine1: '1 Road' }),
    );
    expect(await flow.resume({ onboardingId: 'of-bob' })).toEqual({
      status: 'log_in',
      reason: 'outcome_unknown',
      consentSetId: undefined,
    });
  });

  it('sends no contactVerificationId of a first person who had no onboardingId yet', async () => {
    const { flow, requests } = await begun(
      { step: 'email_code', contactVerificationId: 'of-ada' },
      json({}),
    );
    const resumed = await flow.resume({ onboardingId: 'of-bob', phase: 'PHONE_NUMBER' });
    expect(resumed).toMatchObject({ step: 'phone' });
    const code = { phoneCountryCode: '+351', phoneNumber: '912345678', verificationCode: '000000' };
    expect(await rejection(flow.verifyPhone(code))).toMatchObject({ outcome: 'not_sent' });
    expect(requests).toHaveLength(1);
  });
});

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

const CONSENTS = (
  ['termsAndPrivacy', 'marketingNotifications', 'smsNotifications', 'emailNotifications'] as const
).map((consentType) => ({ consentType, consentStatus: 'granted' as const }));
describe('the onboardingId, a secret, is not printed', () => {
  const input = {
    onboardingId: 'canary-onboarding',
    tenantId: 't',
    policyType: 'global' as const,
    consents: CONSENTS,
  };
  it('by the result of consent.createOnboarding', async () => {
    const client = clientReceiving(
      json(
        {
          consentSetId: ID,
          onboardingId: 'canary-onboarding',
          tenantId: 't',
          createdAt: '2026-01-01T00:00:00Z',
          _links: { self: {} },
        },
        201,
      ),
    );
    expect(inspect(await client.consent.createOnboarding(input), { depth: 9 })).not.toContain(
      'canary',
    );
  });
  it('by consent.linkUser', async () => {
    const client = clientReceiving(
      json({
        consentSetId: ID,
        userId: 'u',
        consentSet: { consentSetId: ID, onboardingId: 'canary-onboarding' },
      }),
    );
    expect(
      inspect(await client.consent.linkUser({ consentSetId: ID, userId: 'u' }), { depth: 9 }),
    ).not.toContain('canary');
  });
  it('by consent.getSet', async () => {
    const client = clientReceiving(json({ consentSetId: ID, onboardingId: 'canary-onboarding' }));
    expect(inspect(await client.consent.getSet({ id: ID }), { depth: 9 })).not.toContain('canary');
  });
  it('by the error of consent.createOnboarding', async () => {
    const client = clientReceiving(
      json({ error: 'Conflict', details: ['onboardingId canary-onboarding is already used'] }, 409),
    );
    const error = await rejection(client.consent.createOnboarding(input));
    expect(
      `${inspect(error, { depth: 9 })} ${(error as Error).message} ${JSON.stringify(error)}`,
    ).not.toContain('canary');
  });
});

it('webhooks.logs prints no signature and no personal data, as webhooks.events.logs', async () => {
  const logs = {
    count: 1,
    logs: [
      {
        id: 'l',
        requestHeaders: { 'X-Signature': 'canary-signature' },
        requestBody: { event_object: { email: 'canary@example.com' } },
        responseBody: 'canary',
      },
    ],
  };
  const client = clientReceiving(json(logs));
  const viaEvents = await observe(client).webhooks.events.logs({ eventId: 'e' });
  expect(inspect(viaEvents, { depth: 9 })).not.toContain('canary');
  const own = await client.webhooks.logs({ id: ID });
  expect(inspect(own, { depth: 9 })).not.toContain('canary');
});
