import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../src/webhooks/verify-webhook.js';
import { CONSENT, codeOf, createWebhook, setUp } from './set-up.js';

describe('consent on the mock platform', () => {
  it('is created once and linked once', async () => {
    const { ada, platform: appClient } = setUp();
    const { consentSetId } = await appClient.consent.createOnboarding(CONSENT);
    expect(await codeOf(appClient.consent.createOnboarding(CONSENT))).toBe('consent_set_exists');
    expect(await appClient.consent.getSet({ id: consentSetId })).toMatchObject({
      userId: null,
      completedAt: null,
    });
    const linked = await appClient.consent.linkUser({ consentSetId, userId: ada.id });
    expect(linked).toMatchObject({ userId: ada.id, consentSet: { userId: ada.id } });
    expect(await codeOf(appClient.consent.linkUser({ consentSetId, userId: ada.id }))).toBe(
      'consent_already_linked',
    );
    const { auditRecords } = await appClient.consent.getUserAudit({ userId: ada.id });
    expect(auditRecords?.map(({ action }) => action)).toEqual(['created', 'linked']);
    const page = await appClient.consent.getUserAudit({ userId: ada.id, limit: 1, offset: 1 });
    expect(page.auditRecords?.map(({ action }) => action)).toEqual(['linked']);
  });

  it('keeps the metadata of each consent, and that of the set in the audit', async () => {
    const { ada, platform: appClient } = setUp();
    const [first, ...others] = CONSENT.consents;
    const metadata = { ipAddress: '192.0.2.1', campaign: 'spring' };
    const { consentSetId } = await appClient.consent.createOnboarding({
      ...CONSENT,
      metadata: { version: '2' },
      consents: [{ ...first, metadata }, ...others],
    });
    const set = await appClient.consent.getSet({ id: consentSetId });
    expect(set).not.toHaveProperty('metadata');
    expect(set.consents?.map((consent) => consent.metadata)).toEqual([metadata, {}, {}, {}]);
    await appClient.consent.linkUser({ consentSetId, userId: ada.id });
    const { auditRecords } = await appClient.consent.getUserAudit({ userId: ada.id });
    expect(auditRecords?.[0]).toMatchObject({ action: 'created', metadata: { version: '2' } });
  });

  it('shows when it was linked, and no metadata, under its id in any case', async () => {
    const { mock, ada, platform: appClient } = setUp();
    const { consentSetId } = await appClient.consent.createOnboarding({
      ...CONSENT,
      metadata: { version: '2' },
    });
    mock.advance('1 hour');
    const { consentSet } = await appClient.consent.linkUser({
      consentSetId: consentSetId.toUpperCase(),
      userId: ada.id,
    });
    expect(consentSet).toMatchObject({
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T01:00:00.000Z',
      completedAt: '2026-01-01T01:00:00.000Z',
    });
    expect(consentSet).not.toHaveProperty('metadata');
    const shown = await appClient.consent.getSet({ id: consentSetId.toUpperCase() });
    expect(shown).toEqual(consentSet);
  });

  it('is not found under an unknown id', async () => {
    const { platform: appClient } = setUp();
    const id = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
    expect(await codeOf(appClient.consent.getSet({ id }))).toBe('consent_set_not_found');
    expect(await codeOf(appClient.consent.linkUser({ consentSetId: id, userId: 'u' }))).toBe(
      'consent_set_not_found',
    );
  });

  it('is rejected with the missing consents in the documented form', async () => {
    const { mock } = setUp();
    const headers = {
      'x-client-key': mock.credentials.clientKey,
      'x-secret-key': mock.credentials.secretKey,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ ...CONSENT, policyType: 'US' });
    const response = await mock.fetch(`${mock.baseUrl}/v2/consent/onboarding`, {
      method: 'POST',
      headers,
      body,
    });
    expect(response.status).toBe(400);
    const rejected = (await response.json()) as { error: string; details: string[] };
    expect(rejected.details).toEqual([expect.stringMatching(/^consents .*eSignAct|policy/)]);
  });
});

describe('webhooks on the mock platform', () => {
  const created = { name: 'n', url: 'https://hooks.example.com', eventTypes: ['*'] };

  it('show a key once, and mask it afterwards', async () => {
    const { mock, client } = setUp();
    const data = await createWebhook(client, created);
    expect(data.apiKey).toMatch(/^whk_[0-9a-f]{40}$/);
    const masked = (await client.webhooks.get({ id: data.id })).apiKey;
    expect(masked).toContain('*');
    const rotated = await client.webhooks.rotateKey({ id: data.id });
    expect(rotated.data.apiKey).not.toBe(data.apiKey);
    const { body, headers } = await mock.signWebhook(rotated.data.apiKey, { event_id: 'e' });
    const verify = (keys: string) => verifyWebhook({ body, headers, keys, now: mock.now });
    expect((await verify(rotated.data.apiKey)).eventId).toBe('e');
    expect(await codeOf(verify(data.apiKey))).toBe('webhook_signature_invalid');
  });

  it('mask the key in every response except those that create one', async () => {
    const { mock, client } = setUp();
    const { id, apiKey } = await createWebhook(client, created);
    const masked = `${apiKey.slice(0, 6)}********${apiKey.slice(-4)}`;
    expect((await client.webhooks.get({ id })).apiKey).toBe(masked);
    expect((await client.webhooks.list()).map((one) => one.apiKey)).toEqual([masked]);
    expect((await client.webhooks.update({ id, name: 'm' })).data?.apiKey).toBe(masked);
    mock.advance('1 hour');
    const { data } = await client.webhooks.rotateKey({ id });
    expect(data.apiKey).toMatch(/^whk_[0-9a-f]{40}$/);
    expect(data.updatedAt).toBe('2026-01-01T01:00:00.000Z');
  });

  it('update the given fields and keep the others', async () => {
    const { client } = setUp();
    const data = await createWebhook(client, { ...created, metadata: { a: 1 } });
    const changed = await client.webhooks.update({
      id: data.id,
      isActive: false,
      metadata: { b: 2 },
    });
    expect(changed.data).toMatchObject({ name: 'n', isActive: false, metadata: { b: 2 } });
    expect(changed.data?.metadata).not.toHaveProperty('a');
  });

  it('are limited to five, and can be deleted', async () => {
    const { client } = setUp();
    for (let i = 0; i < 5; i++) await client.webhooks.create(created);
    expect(await codeOf(client.webhooks.create(created))).toBe('webhook_limit_reached');
    const [first] = await client.webhooks.list();
    const id = first?.id ?? '';
    expect(await client.webhooks.delete({ id })).toEqual({ success: true });
    expect(await codeOf(client.webhooks.delete({ id }))).toBe('webhook_not_found');
    expect(await client.webhooks.list()).toHaveLength(4);
    const [second] = await client.webhooks.list();
    expect(await client.webhooks.logs({ id: second?.id ?? '' })).toEqual({ count: 0, logs: [] });
  });

  it('respond 503 when the notification service is not configured', async () => {
    const { mock, client } = setUp();
    mock.state.isNotificationServiceConfigured = false;
    const id = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
    expect(await codeOf(client.webhooks.rotateKey({ id }))).toBe(
      'notification_service_not_configured',
    );
  });
});

describe('orders on the mock platform', () => {
  it('get their status from setOrderStatus', async () => {
    const { mock, client } = setUp();
    const [product] = await client.orders.listProducts();
    const { orderId } = await client.orders.create({
      productId: product?.id ?? '',
      paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY',
    });
    expect((await client.orders.get({ orderId })).status).toBe('STARTED');
    mock.setOrderStatus(orderId, 'COMPLETED');
    const paid = await client.orders.get({ orderId });
    expect(paid).toMatchObject({ status: 'COMPLETED', paidAt: expect.stringContaining(' ') });
    expect(await codeOf(client.orders.get({ orderId: 'other' }))).toBe('not_found');
    expect(() => mock.setOrderStatus('other', 'FAILED')).toThrow(/no order/);
  });

  it('are found by their own user only', async () => {
    const { mock, client, platform } = setUp();
    const [product] = await client.orders.listProducts();
    const { orderId } = await client.orders.create({
      productId: product?.id ?? '',
      paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY',
    });
    const bobs = platform.withAccessToken(mock.accessTokenFor(mock.users.add()));
    expect(await codeOf(bobs.orders.get({ orderId }))).toBe('not_found');
    expect(await codeOf(client.orders.get({ orderId }))).toBe('ok');
  });

  it('are accepted for a product that is not eligible, because the contract shows no refusal', async () => {
    const { mock, client } = setUp();
    mock.state.products.push({ id: 'plane', description: 'A plane', isEligible: false });
    const order = { productId: 'plane', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' } as const;
    expect(await codeOf(client.orders.create(order))).toBe('ok');
  });

  it('are rejected for an unknown product', async () => {
    const { client } = setUp();
    const order = { productId: 'none', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' } as const;
    expect(await codeOf(client.orders.create(order))).toBe('validation_failed');
  });
});

describe('referral on the mock platform', () => {
  it('has a code while a campaign is active', async () => {
    const { mock, ada, platform: appClient, client } = setUp();
    expect(await client.referral.get()).toEqual(ada.referral);
    const { code } = ada.referral;
    expect(await appClient.referral.validate({ code })).toEqual({ valid: true });
    expect(await appClient.referral.validate({ code: 'OTHER' })).toEqual({ valid: false });
    mock.state.isReferralActive = false;
    expect(await client.referral.get()).toBeNull();
  });
});

it('a referral code is valid only while a campaign is active', async () => {
  const { mock, ada, client } = setUp();
  const { code } = ada.referral;
  expect(await client.referral.validate({ code })).toMatchObject({ valid: true });
  expect(await client.referral.validate({ code: 'NOBODY' })).toMatchObject({ valid: false });
  mock.state.isReferralActive = false;
  expect(await client.referral.validate({ code })).toMatchObject({ valid: false });
});

it('the client key and the client id of a request must be of one tenant', async () => {
  const credentials = ['clientKey', 'clientId', 'accessToken'] as const;
  const { mock, ada } = setUp(
    {},
    { endpointCredentials: { 'orders.listProducts': [...credentials] } },
  );
  const acme = mock.tenants.add('acme');
  const statusWith = async (clientKey: string, clientId: string) => {
    const { status } = await mock.fetch(`${mock.baseUrl}/v1/order/products/available`, {
      headers: {
        'x-client-key': clientKey,
        'x-client-id': clientId,
        authorization: `Bearer ${mock.accessTokenFor(ada)}`,
      },
    });
    return status;
  };
  const own = mock.credentials;
  expect(await statusWith(own.clientKey, own.clientId)).toBe(200);
  expect(await statusWith(own.clientKey, acme.clientId)).toBe(498);
  expect(await statusWith(acme.clientKey, own.clientId)).toBe(498);
});

it('the secret key of a request must be of the tenant of its client key', async () => {
  const { mock } = setUp();
  const acme = mock.tenants.add('acme');
  const statusWith = async (clientKey: string, secretKey: string) => {
    const { status } = await mock.fetch(`${mock.baseUrl}/v2/consent/onboarding`, {
      method: 'POST',
      headers: {
        'x-client-key': clientKey,
        'x-secret-key': secretKey,
        'content-type': 'application/json',
      },
      body: JSON.stringify(CONSENT),
    });
    return status;
  };
  const own = mock.credentials;
  expect(await statusWith(own.clientKey, acme.secretKey)).toBe(401);
  expect(await statusWith(acme.clientKey, own.secretKey)).toBe(401);
  expect(await statusWith(own.clientKey, own.secretKey)).toBe(201);
});

it('the query region routes only the delegation endpoints to the US', async () => {
  const { mock, ada } = setUp({ environment: 'us', card: 'ACTIVE' });
  const statusOf = async (path: string, headers: Record<string, string> = {}) => {
    const authorization = `Bearer ${mock.accessTokenFor(ada)}`;
    const { status } = await mock.fetch(`${mock.baseUrl}${path}`, {
      headers: { 'x-client-key': mock.credentials.clientKey, authorization, ...headers },
    });
    return status;
  };
  expect(await statusOf('/v1/card/status', { 'x-us-env': 'true' })).toBe(200);
  expect(await statusOf('/v1/card/status?region=us')).toBe(401);
  expect(await statusOf('/v1/delegation/token?region=us')).toBe(200);
});
