import { createHash } from 'node:crypto';
import type { MockPlatform, MockUser } from '../../../../src/testing/index.js';

/** A code verifier. */
export const VERIFIER = 'verifier-verifier-verifier-verifier-verifier';
/** Its challenge. */
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
/** Where the pages of the examples return to. */
export const REDIRECT = 'https://app.example/callback';

/** The query of `auth.oauth.initiate`. */
export function initiateQuery(mock: MockPlatform): Record<string, string> {
  return {
    client_id: mock.credentials.clientKey,
    redirect_uri: REDIRECT,
    response_type: 'code',
    state: 'state-12345678',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    mode: 'api',
  };
}

/** The body of an exchange of the first family. */
export const exchangeBody = (code: unknown) => ({
  grant_type: 'authorization_code',
  code,
  code_verifier: VERIFIER,
  redirect_uri: REDIRECT,
});

/** The URL of the hosted page of the second family. */
export function pageUrl(mock: MockPlatform, changes: Record<string, string | undefined> = {}) {
  const query = {
    client_id: mock.credentials.clientKey,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    prompt: 'consent',
    state: 'state-2',
    ...changes,
  };
  const given = Object.entries(query).filter(
    (one): one is [string, string] => one[1] !== undefined,
  );
  return `${mock.baseUrl}/v1/auth/oauth2/authorize?${new URLSearchParams(given)}`;
}

/** The objects that a sample request uses. Its user has a card, wallets, a reward and an event. */
export type Scene = { mock: MockPlatform; ada: MockUser };

/** The parts of a request that differ between the calls of a row. */
type Sample = { path?: string; query?: Record<string, string>; body?: unknown };

type Prepare = (scene: Scene) => Sample | Promise<Sample>;

const NEW = 'new@example.com';
const SINCE = '2026-01-01T00:00:00.000Z';
const ONBOARDING = 'onboarding-1';
const CONTACT = 'contact-1';
const PHONE = { phoneCountryCode: '+351', phoneNumber: '912345678' };
const ADDRESS = { onboardingId: ONBOARDING, addressLine1: '1 Road', city: 'Lisbon', zip: '1000' };

/** Returns a platform's user with everything that a sample needs. */
export async function prepareScene(mock: MockPlatform): Promise<Scene> {
  const ada = mock.users.add({
    email: 'ada@example.com',
    card: 'ACTIVE',
    wallets: [{ isLinked: true }],
    externalWallets: [{}],
  });
  const observed = mock.observed;
  observed.creditReward(ada, { amount: '5' });
  mock.state.webhooks.push({
    id: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
    tenant: 'mock-tenant',
    name: 'n',
    url: 'https://hooks.example/h',
    apiKey: 'whk_1',
    eventTypes: ['*'],
    isActive: true,
    metadata: {},
    createdAt: SINCE,
    updatedAt: SINCE,
  });
  await mock.deliver({ type: 'card.activated', data: { userId: ada.id } });
  mock.state.consentSets.push({
    tenant: ada.tenant,
    environment: ada.environment,
    consentSetId: '1f0c9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e',
    onboardingId: ONBOARDING,
    userId: ada.id,
    tenantId: 't',
    policyType: 'global',
    completedAt: null,
    createdAt: SINCE,
    updatedAt: SINCE,
    metadata: {},
    consents: [],
  });
  return { mock, ada };
}

async function issued({ mock, ada }: Scene, family: 'oauth' | 'oauth2'): Promise<string> {
  return mock.observed.issueTokens(ada, family).refresh_token;
}

/** Adds a registration that is in a phase. */
async function registerUntil({ mock }: Scene, phase: string): Promise<void> {
  const { state } = mock.observed;
  const place = { tenant: 'mock-tenant', environment: 'global' } as const;
  const profile = { countryOfResidence: 'US' };
  // A test may send a sample twice.
  const user = mock.users.find(NEW) ?? mock.users.add({ email: NEW, phase, profile });
  state.registrations.push({
    ...place,
    onboardingId: ONBOARDING,
    contactVerificationId: CONTACT,
    userId: user.id,
    phone: {
      countryCode: '+351',
      number: '+351912345678',
      code: '123456',
      expiresAt: mock.now + 1,
    },
    mailingAddress: null,
    allowMarketing: false,
    allowSms: false,
    userExternalId: null,
  });
  state.contactVerifications.push({
    ...place,
    id: CONTACT,
    email: NEW,
    code: '123456',
    expiresAt: mock.now + 1,
    isVerified: true,
  });
}

async function sessionToken({ mock }: Scene): Promise<string> {
  const query = new URLSearchParams(initiateQuery(mock));
  const headers = { 'x-client-key': mock.credentials.clientKey };
  const url = `${mock.baseUrl}/v1/auth/oauth/authorize/initiate?${query}`;
  const response = await mock.fetch(url, { headers });
  const { token }: { token: string } = await response.json();
  return token;
}

async function code(scene: Scene, family: 'oauth' | 'oauth2'): Promise<string> {
  const { observed } = scene.mock;
  const { state } = observed;
  const signIn = () => observed.signIn(pageUrl(scene.mock), scene.ada);
  const redirect = signIn();
  const authorization = state.authorizations.at(-1);
  if (authorization !== undefined) authorization.family = family;
  return new URL(redirect).searchParams.get('code') ?? '';
}

async function addReset({ mock, ada }: Scene, token: string | null): Promise<void> {
  const { state } = mock.observed;
  state.passwordResets.push({ userId: ada.id, code: '123456', token, expiresAt: mock.now + 1 });
}

const at =
  (phase: string, sample: Sample): Prepare =>
  async (scene) => {
    await registerUntil(scene, phase);
    return sample;
  };

const eventPath =
  (end: string): Prepare =>
  ({ mock }) => ({
    path: `/v1/webhooks/events/${mock.deliveries[0]?.eventId}/${end}`,
  });

const refreshBody = async (scene: Scene, family: 'oauth' | 'oauth2') => ({
  grant_type: 'refresh_token',
  refresh_token: await issued(scene, family),
});

/** A request to each observed call that succeeds, by the id of the call. */
export const SAMPLES: Readonly<Record<string, Prepare>> = {
  'auth.oauth.initiate': ({ mock }) => ({ query: initiateQuery(mock) }),
  'auth.oauth.authorize': async (scene) => ({ body: { token: await sessionToken(scene) } }),
  'auth.oauth.exchangeCode': async (scene) => ({ body: exchangeBody(await code(scene, 'oauth')) }),
  'auth.oauth.refresh': async (scene) => ({ body: await refreshBody(scene, 'oauth') }),
  'auth.oauth.revoke': () => ({}),
  'auth.oauth2.authorizeUrl': ({ mock }) => ({
    query: Object.fromEntries(new URL(pageUrl(mock)).searchParams),
  }),
  'auth.oauth2.exchangeCode': async (scene) => ({
    body: {
      grant_type: 'authorization_code',
      code: await code(scene, 'oauth2'),
      code_verifier: VERIFIER,
      redirect_uri: REDIRECT,
    },
  }),
  'auth.oauth2.refresh': async (scene) => ({ body: await refreshBody(scene, 'oauth2') }),
  'auth.oauth2.revoke': () => ({ body: { token: 'any', token_hint: 'access_token' } }),
  'auth.logout': () => ({}),
  'auth.passwordReset.request': () => ({ body: { email: 'ada@example.com' } }),
  'auth.passwordReset.verify': async (scene) => {
    await addReset(scene, null);
    return { body: { email: 'ada@example.com', code: '123456' } };
  },
  'auth.passwordReset.confirm': async (scene) => {
    await addReset(scene, 'token-1');
    return { body: { token: 'token-1', password: 'new', confirmPassword: 'new' } };
  },
  'user.registration.settings': () => ({}),
  'user.registration.sendEmailCode': () => ({ body: { email: NEW } }),
  'user.registration.verifyEmail': async ({ mock }) => {
    const { state } = mock.observed;
    state.contactVerifications.push({
      ...{ tenant: 'mock-tenant', environment: 'global', id: CONTACT, email: NEW },
      ...{ code: '123456', expiresAt: mock.now + 1, isVerified: false },
    });
    return {
      body: {
        email: NEW,
        password: 'a password',
        verificationCode: '123456',
        contactVerificationId: CONTACT,
        countryOfResidence: 'PT',
        allowMarketing: false,
        allowSms: false,
      },
    };
  },
  'user.registration.sendPhoneCode': at('PHONE_NUMBER', {
    body: { ...PHONE, contactVerificationId: CONTACT },
  }),
  'user.registration.verifyPhone': at('PHONE_NUMBER', {
    body: {
      ...PHONE,
      contactVerificationId: CONTACT,
      onboardingId: ONBOARDING,
      verificationCode: '123456',
    },
  }),
  'user.registration.startVerification': at('PERSONAL_INFORMATION', {
    body: { onboardingId: ONBOARDING },
  }),
  'user.registration.submitPersonalDetails': at('PERSONAL_INFORMATION', {
    body: {
      onboardingId: ONBOARDING,
      firstName: 'Grace',
      lastName: 'Hopper',
      dateOfBirth: '1980-12-09',
      countryOfNationality: 'US',
      ssn: '123456789',
    },
  }),
  'user.registration.submitAddress': at('PHYSICAL_ADDRESS', {
    body: { ...ADDRESS, usState: 'CA', isSameMailingAddress: true },
  }),
  'user.registration.submitMailingAddress': at('MAILING_ADDRESS', {
    body: { ...ADDRESS, usState: 'CA' },
  }),
  'user.registration.get': at('PERSONAL_INFORMATION', { query: { onboardingId: ONBOARDING } }),
  'consent.getByOnboarding': () => ({ path: `/v2/consent/onboarding/${ONBOARDING}` }),
  'consent.getByUser': ({ ada }) => ({
    path: `/v2/consent/user/${ada.id}`,
    query: { full: 'true' },
  }),
  'wallets.external.getPriority': () => ({}),
  'wallets.external.setPriority': () => ({ body: { wallets: [{ id: 1001, priority: 1 }] } }),
  'wallets.internal.setLinkedPriority': ({ ada }) => ({
    body: { wallets: [{ addressId: ada.linkedWallets[0], priority: 1 }] },
  }),
  'wallets.reward.get': () => ({}),
  'wallets.reward.estimateWithdrawal': () => ({}),
  'wallets.reward.withdraw': () => ({ body: { amount: '1.5' } }),
  'card.cashback': () => ({}),
  'card.statement': () => ({ query: { dateFrom: '2026-01-01', dateTo: '2026-01-31' } }),
  'card.provisioning.apple': () => ({
    body: { leafCertificate: '1', intermediateCertificate: '2', nonce: '3', nonceSignature: '4' },
  }),
  'card.provisioning.google': () => ({ body: {} }),
  'webhooks.events.list': () => ({ query: { status: 'pending', limit: '10' } }),
  'webhooks.events.status': eventPath('status'),
  'webhooks.events.logs': eventPath('logs'),
  'webhooks.events.retry': eventPath('retry'),
};
