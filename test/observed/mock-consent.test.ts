import { expect, it } from 'vitest';
import { CONSENT } from '../testing/set-up.js';
import { setUpObserved } from './support.js';

async function withConsent() {
  const scene = await setUpObserved();
  const { mock, send } = scene;
  const headers = { 'x-secret-key': mock.credentials.secretKey };
  const created = await send('POST /v2/consent/onboarding', { body: CONSENT, headers });
  return { ...scene, headers, consentSetId: created.body['consentSetId'] };
}

it('the mock platform finds the consent set of an onboarding without a secret key', async () => {
  const { mock, send, consentSetId } = await withConsent();
  const { status, body } = await send('GET /v2/consent/onboarding/o-1');
  expect(status).toBe(200);
  expect(body).toEqual({
    onboardingId: 'o-1',
    consentSets: [expect.objectContaining({ consentSetId, userId: null, completedAt: null })],
    _links: { self: { href: `${mock.baseUrl}/v2/consent/onboarding/o-1`, method: 'GET' } },
  });
});

it('the mock platform responds 404 to an onboarding without consent, in the form of the consent endpoints', async () => {
  const { send } = await withConsent();
  expect(await send('GET /v2/consent/onboarding/other')).toMatchObject({
    status: 404,
    body: { error: expect.any(String), details: [expect.any(String)] },
  });
});

it('the mock platform finds the consent of a user once it is linked, with its sets when they are requested', async () => {
  const { ada, send, headers, consentSetId } = await withConsent();
  const path = `/v2/consent/user/${ada.id}`;
  expect((await send(`GET ${path}`)).status).toBe(404);
  const body = { userId: ada.id };
  await send(`PATCH /v2/consent/onboarding/${consentSetId}`, { body, headers });
  const short = await send(`GET ${path}`);
  expect(short.body).toMatchObject({ userId: ada.id, consentStatus: 'complete' });
  expect(short.body).not.toHaveProperty('consentSets');
  const full = await send(`GET ${path}`, { query: { full: 'true' } });
  expect(full.body['consentSets']).toMatchObject([{ consentSetId, userId: ada.id }]);
});

it.each([
  'another tenant',
  'the other environment',
])('the mock platform hides consent sets from %s', async (who) => {
  const { mock, ada, send, headers, consentSetId } = await withConsent();
  const { clientKey } = mock.tenants.add('acme');
  const body = { userId: ada.id };
  await send(`PATCH /v2/consent/onboarding/${consentSetId}`, { body, headers });
  const others: Record<string, string> =
    who === 'another tenant' ? { 'x-client-key': clientKey } : { 'x-us-env': 'true' };
  for (const path of ['/v2/consent/onboarding/o-1', `/v2/consent/user/${ada.id}`]) {
    expect((await send(`GET ${path}`, { headers: others })).status).toBe(404);
    expect((await send(`GET ${path}`)).status).toBe(200);
  }
});
