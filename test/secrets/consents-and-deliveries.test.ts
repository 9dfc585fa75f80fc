import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { observe } from '../../src/observed/index.js';
import { clientReceiving, json, rejection } from '../support/clients.js';
import { CONSENT } from '../testing/set-up.js';

const ID = '11111111-2222-4333-8444-555555555555';

describe('the onboardingId, a secret, is not printed', () => {
  const input = {
    onboardingId: 'canary-onboarding',
    tenantId: 't',
    policyType: 'global' as const,
    consents: CONSENT.consents,
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
  it('by consent.linkUser beside the set', async () => {
    const client = clientReceiving(
      json({ consentSetId: ID, userId: 'u', onboardingId: 'canary-onboarding' }),
    );
    const linked = await client.consent.linkUser({ consentSetId: ID, userId: 'u' });
    expect(inspect(linked, { depth: 9 })).not.toContain('canary');
  });
  it('by consent.getUserAudit, which also prints no change and no metadata', async () => {
    const client = clientReceiving(
      json({
        userId: 'u',
        onboardingId: 'canary-onboarding',
        auditRecords: [
          {
            auditId: 'a-1',
            action: 'UPDATE',
            changes: { after: { onboardingId: 'canary-onboarding', email: 'canary@example.com' } },
            metadata: { ip: 'canary-address' },
          },
        ],
      }),
    );
    const audit = await client.consent.getUserAudit({ userId: 'u' });
    expect(inspect(audit, { depth: 9 })).toContain('a-1');
    expect(inspect(audit, { depth: 9 })).not.toContain('canary');
    expect(audit.auditRecords?.[0]?.metadata).toEqual({ ip: 'canary-address' });
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
