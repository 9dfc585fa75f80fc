import { describe, expect, it } from 'vitest';
import { createRegistration } from '../../src/observed/registration/create-registration.js';
import { memoryStore } from '../sessions/support.js';
import { clientFor, json } from '../support/clients.js';
import { REGISTRATION_KEY } from './registration-flow-support.js';

const SET_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const PHONE = { phoneCountryCode: '+1', phoneNumber: '5551234567' };
const ADDRESS = { addressLine1: '1 Road', city: 'Reno', zip: '89501', usState: 'NV' };

const CONSENTS = (
  [
    'eSignAct',
    'termsAndPrivacy',
    'marketingNotifications',
    'smsNotifications',
    'emailNotifications',
  ] as const
).map((consentType) => ({ consentType, consentStatus: 'granted' as const }));

/** A service whose consents exist already: their ids must be looked up. */
const RESPONSES: Readonly<Record<string, (url: URL) => Response>> = {
  'POST /v1/auth/register/email/send': () => json({ contactVerificationId: 'contact' }),
  'POST /v1/auth/register/email/verify': () => json({ onboardingId: 'one' }),
  'POST /v1/auth/register/phone/send': () => json({ success: true }),
  'POST /v1/auth/register/phone/verify': () => json({ onboardingId: 'one' }),
  'POST /v1/auth/register/verification': () => json({ sessionUrl: 'https://id.example/page' }),
  'GET /v1/auth/register': () => json({ phoneNumber: '+15551234567' }),
  'POST /v1/auth/register/personal-details': () => json({ onboardingId: 'one' }),
  'POST /v2/consent/onboarding': () => json({ error: 'exists', details: [] }, 409),
  'GET /v2/consent/onboarding/one': () =>
    json({ consentSets: [{ consentSetId: SET_ID, consents: CONSENTS }] }),
  'POST /v1/auth/register/address': () => json({ accessToken: null }),
  'POST /v1/auth/register/mailing-address': () =>
    json({ accessToken: 'user-token', user: { id: 'ada' } }),
  [`PATCH /v2/consent/onboarding/${SET_ID}`]: () => json({ consentSetId: SET_ID, userId: 'ada' }),
};

function register(region: 'us' | 'global', store = memoryStore()) {
  const sent: { line: string; isUs: string | null; body: unknown }[] = [];
  const client = clientFor('https://api.example.com', {
    retry: false,
    region: region === 'us' ? 'global' : 'us',
    fetch: async (address, { method, headers, body }) => {
      const url = new URL(address);
      const line = `${method} ${url.pathname}`;
      const isUs = new Headers(headers).get('x-us-env');
      sent.push({ line, isUs, body: typeof body === 'string' ? JSON.parse(body) : undefined });
      return RESPONSES[line]?.(url) ?? json({ message: line }, 500);
    },
  });
  return { flow: createRegistration(client, { region, store }), sent };
}

describe('a registration', () => {
  it.each([
    ['us', 'true'],
    ['global', null],
  ] as const)('in the region %s sends every request there, whatever the region of the client', async (region, header) => {
    const { flow, sent } = register(region);
    await flow.sendEmailCode({ email: 'ada@example.com' });
    await flow.verifyEmail({
      email: 'ada@example.com',
      password: 'secret',
      verificationCode: '123456',
      countryOfResidence: 'us',
      allowMarketing: false,
      allowSms: false,
    });
    await flow.sendPhoneCode(PHONE);
    await flow.verifyPhone({ ...PHONE, verificationCode: '123456' });
    await flow.startVerification();
    await flow.resume();
    await flow.submitPersonalDetails({
      firstName: 'Ada',
      lastName: 'Lovelace',
      dateOfBirth: '1990-12-10',
      countryOfNationality: 'US',
    });
    await flow.recordConsent({ tenantId: 'tenant', consents: CONSENTS });
    await flow.submitAddress({ ...ADDRESS, isSameMailingAddress: false });
    await flow.submitMailingAddress(ADDRESS);
    expect(await flow.linkConsent()).toMatchObject({ status: 'registered', userId: 'ada' });
    expect(new Set(sent.map(({ line }) => line))).toEqual(new Set(Object.keys(RESPONSES)));
    expect(sent.map(({ isUs }) => isUs)).toEqual(sent.map(() => header));
    const created = sent.find(({ line }) => line === 'POST /v2/consent/onboarding');
    expect(created?.body).toMatchObject({ onboardingId: 'one', policyType: 'US' });
  });

  it('opens the page of the person whose onboardingId is given last', async () => {
    const store = memoryStore();
    store.entries.set(
      REGISTRATION_KEY,
      JSON.stringify({ v: 1, region: 'global', step: 'identity', onboardingId: 'one' }),
    );
    const { flow, sent } = register('global', store);
    await flow.startVerification();
    await flow.startVerification();
    await flow.resume({ onboardingId: 'two', phase: 'PERSONAL_INFORMATION' });
    await flow.startVerification();
    const pages = sent.filter(({ line }) => line.endsWith('/verification'));
    expect(pages.map(({ body }) => body)).toEqual([
      { onboardingId: 'one' },
      { onboardingId: 'two' },
    ]);
  });
});
