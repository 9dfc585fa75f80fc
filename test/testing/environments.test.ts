import { expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { CONSENT, codeOf } from './set-up.js';

const login = { email: 'ada@example.com', password: 'pass' };

function setUp() {
  const mock = createMockPlatform();
  const here = mock.users.add({ ...login, card: 'ACTIVE' });
  const there = mock.users.add({ ...login, card: 'ACTIVE', environment: 'us' });
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    retry: false,
  });
  return { mock, here, there, client };
}

it('the same e-mail address and password belong to another user in the US environment', async () => {
  const { here, there, client } = setUp();
  expect((await client.auth.login(login)).userId).toBe(here.id);
  expect((await client.auth.login(login, { region: 'us' })).userId).toBe(there.id);
});

it('an access token of one environment is rejected in the other', async () => {
  const { mock, there, client } = setUp();
  const userClient = client.withAccessToken(mock.accessTokenFor(there));
  expect(await codeOf(userClient.card.freeze())).toBe('not_authenticated');
  expect(await codeOf(userClient.card.freeze({ region: 'us' }))).toBe('ok');
});

it('an endpoint without routing accepts an access token of either environment', async () => {
  const { mock, there, client } = setUp();
  const userClient = client.withAccessToken(mock.accessTokenFor(there));
  expect(await codeOf(userClient.orders.listProducts())).toBe('ok');
});

it('the region of a delegation request does not select the environment of the user', async () => {
  const { mock, here, there, client } = setUp();
  for (const one of [here, there]) {
    const userClient = client.withAccessToken(mock.accessTokenFor(one));
    expect(await codeOf(userClient.delegation.getToken({ region: 'us' }))).toBe('ok');
  }
});

it('a fault for a user concerns the logins of that user, and of no namesake in the other environment', async () => {
  const { mock, here, there, client } = setUp();
  mock.fail('auth.login', 500, { user: there });
  expect(await codeOf(client.auth.login(login))).toBe('ok');
  expect(mock.requests.last?.userId).toBe(here.id);
  expect(await codeOf(client.auth.login(login, { region: 'us' }))).toBe('server_error');
  expect(mock.requests.last?.userId).toBe(there.id);
});

it('a request of a namesake belongs to the user of its tenant', async () => {
  const { mock, client } = setUp();
  const acme = mock.tenants.add('acme');
  const namesake = mock.users.add({ ...login, tenant: acme.name });
  const { clientKey } = acme;
  const { baseUrl, fetch } = mock;
  await new CardPlatformClient({ baseUrl, fetch, clientKey }).auth.login(login);
  expect(mock.requests.last?.userId).toBe(namesake.id);
  const { code } = namesake.referral;
  expect(await client.referral.validate({ code })).toEqual({ valid: false });
});

it('the logins of one environment do not count against the limit of the other', async () => {
  const { mock, client } = setUp();
  mock.state.choices.loginRateLimit = 'with-retry-after';
  for (let count = 0; count < 5; count++) await client.auth.login(login, { region: 'us' });
  expect(await codeOf(client.auth.login(login, { region: 'us' }))).toBe('rate_limited');
  expect(await codeOf(client.auth.login(login))).toBe('ok');
});

it.each([
  ['another tenant', 'acme', undefined],
  ['the other environment', undefined, 'us'],
] as const)('the consent sets of a tenant and an environment are not those of %s', async (_, name, region) => {
  const { mock, client, here } = setUp();
  const { baseUrl, fetch } = mock;
  const tenant = name === undefined ? mock.credentials : mock.tenants.add(name);
  const { clientKey, secretKey } = tenant;
  const other = new CardPlatformClient({ baseUrl, fetch, clientKey, secretKey, region });
  const { consentSetId } = await client.consent.createOnboarding(CONSENT);

  const link = { consentSetId, userId: here.id };
  expect(await codeOf(other.consent.getSet({ id: consentSetId }))).toBe('consent_set_not_found');
  expect(await codeOf(other.consent.linkUser(link))).toBe('consent_set_not_found');
  expect(mock.consentSets.get(consentSetId).userId).toBeNull();
  expect(await codeOf(client.consent.linkUser(link))).toBe('ok');
  expect(await other.consent.getUserAudit({ userId: here.id })).toMatchObject({ auditRecords: [] });

  // The same onboardingId is another one there.
  expect((await other.consent.createOnboarding(CONSENT)).consentSetId).not.toBe(consentSetId);
});

it('no response shows which tenant and environment a consent set belongs to', async () => {
  const { mock, client } = setUp();
  const { consentSetId } = await client.consent.createOnboarding(CONSENT);
  expect(mock.consentSets.get(consentSetId)).toMatchObject({
    tenant: 'mock-tenant',
    environment: 'global',
  });
  const shown = await client.consent.getSet({ id: consentSetId });
  expect(shown).not.toHaveProperty('tenant');
  expect(shown).not.toHaveProperty('environment');
});
