import { describe, expect, it } from 'vitest';
import { createRegistration } from '../../src/observed/registration/create-registration.js';
import { StepRunner } from '../../src/observed/registration/step-runner.js';
import { RegistrationStore } from '../../src/observed/registration/stored-registration.js';
import { memoryStore } from '../../src/stores/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { CONSENT } from '../testing/set-up.js';

const BASE = 'https://api.example.com';
const KEY = 'card-platform.registration';

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
    await flow.recordConsent({ tenantId: 't', policyType: 'global', consents: CONSENT.consents });
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

describe('a token that is kept until the last step', () => {
  const runner = () => new StepRunner(new RegistrationStore(undefined, KEY, 'global'));

  it('is returned with the user whom it belongs to', async () => {
    const steps = runner();
    steps.keepToken('ada', 'token-of-ada');
    expect(await steps.finish('ada')).toMatchObject({ status: 'registered', userId: 'ada' });
  });

  it.each(['bob', undefined])('is returned with no other user: %s', async (userId) => {
    const steps = runner();
    steps.keepToken('ada', 'token-of-ada');
    expect(await steps.finish(userId)).toMatchObject({ status: 'log_in', reason: 'no_token' });
  });

  it('is returned once', async () => {
    const steps = runner();
    steps.keepToken('ada', 'token-of-ada');
    await steps.finish('ada');
    expect(await steps.finish('ada')).toMatchObject({ status: 'log_in', reason: 'no_token' });
  });
});
