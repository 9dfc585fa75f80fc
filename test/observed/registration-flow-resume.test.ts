import { describe, expect, it } from 'vitest';
import type { RegistrationProgress } from '../../src/observed/registration/progress.js';
import {
  type RegistrationStepName,
  registrationStepOfPhase,
  stepToContinue,
} from '../../src/observed/registration/steps.js';
import { json, rejection } from '../support/clients.js';
import {
  EMAIL,
  PASSWORD,
  REGISTRATION_KEY,
  setUpRegistration,
} from './registration-flow-support.js';

const stepOf = (progress: RegistrationProgress) =>
  progress.status === 'in_progress' ? progress.step : progress.status;

const NAMED = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1980-12-09' };
const CALLED = { phoneNumber: '+351912345678' };

describe('the step of a phase', () => {
  it.each([
    ['ACCOUNT', 'email'],
    ['PHONE_NUMBER', 'phone'],
    ['PERSONAL_INFORMATION', 'identity'],
    ['PHYSICAL_ADDRESS', 'consent'],
    ['MAILING_ADDRESS', 'mailing_address'],
    ['SOMETHING_NEW', undefined],
    ['constructor', undefined],
  ] as const)('%s is %s', (phase, step) => {
    expect(registrationStepOfPhase(phase)).toBe(step);
  });
});

describe('the step at which a registration continues', () => {
  const cases: [string, Parameters<typeof stepToContinue>[0], RegistrationStepName][] = [
    ['nothing is known', { step: 'phone', read: {} }, 'phone'],
    ['the device knows more', { step: 'address', read: CALLED }, 'address'],
    ['the phone was verified', { step: 'phone_code', read: CALLED }, 'identity'],
    ['the phone is blank', { step: 'phone_code', read: { phoneNumber: ' ' } }, 'phone_code'],
    [
      'the identity is verified',
      { step: 'identity', read: { ...CALLED, verificationState: 'VERIFIED' } },
      'personal_details',
    ],
    [
      'the identity is pending, which a created session is too',
      { step: 'identity', read: { ...CALLED, verificationState: 'PENDING' } },
      'identity',
    ],
    ['the details are there', { step: 'identity', read: { ...CALLED, ...NAMED } }, 'consent'],
    [
      'one detail is missing',
      { step: 'identity', read: { ...CALLED, ...NAMED, dateOfBirth: null } },
      'identity',
    ],
    [
      'the address is there',
      { step: 'address', read: { ...NAMED, addressLine1: '1 Road' } },
      'link_consent',
    ],
    [
      'the phase of the login is behind the fields',
      { step: 'identity', phase: 'PHONE_NUMBER', read: { ...CALLED, ...NAMED } },
      'phone_code',
    ],
    [
      'the phase of the login is ahead of the device',
      { step: 'email', phase: 'PHYSICAL_ADDRESS', read: {} },
      'consent',
    ],
    [
      'the phase asks for a mailing address',
      { step: 'address', phase: 'MAILING_ADDRESS', read: { addressLine1: '1 Road' } },
      'mailing_address',
    ],
    ['the phase is not known', { step: 'identity', phase: 'NEW', read: {} }, 'identity'],
    [
      'the address is there, and the mailing address is next',
      { step: 'mailing_address', read: { ...NAMED, addressLine1: '1 Road' } },
      'mailing_address',
    ],
    [
      'the consents are next',
      { step: 'link_consent', read: { ...NAMED, addressLine1: '1 Road' } },
      'link_consent',
    ],
  ];
  it.each(cases)('when %s', (_, facts, step) => {
    expect(stepToContinue(facts)).toBe(step);
  });
});

describe('a registration that is resumed after a restart', () => {
  it.each([
    ['verifyEmail', 'email_code'],
    ['sendPhoneCode', 'phone'],
    ['verifyPhone', 'phone_code'],
    ['verifyIdentity', 'identity'],
    ['recordConsent', 'consent'],
    ['submitAddress', 'address'],
    ['linkConsent', 'link_consent'],
  ] as const)('before %s continues at %s to its end', async (name, step) => {
    const { runUntil, open, steps, ORDER } = await setUpRegistration();
    await runUntil(name);
    const again = open();
    expect(stepOf(await again.resume())).toBe(step);
    const all = steps(again);
    let last: RegistrationProgress | undefined;
    for (const next of ORDER.slice(ORDER.indexOf(name))) last = await all[next]();
    expect(last?.status).toBe(name === 'linkConsent' ? 'log_in' : 'registered');
  });

  it('before submitMailingAddress continues at mailing_address to its end', async () => {
    const { runUntil, open, steps } = await setUpRegistration('US');
    const { submitAddress } = await runUntil('submitAddress');
    expect(stepOf(await submitAddress({ isSameMailingAddress: false }))).toBe('mailing_address');
    const again = open();
    expect(stepOf(await again.resume())).toBe('mailing_address');
    expect(stepOf(await steps(again).submitMailingAddress())).toBe('link_consent');
    expect(stepOf(await steps(again).linkConsent())).toBe('registered');
  });

  it('continues after the step whose response was lost', async () => {
    const { runUntil, setIntercept } = await setUpRegistration();
    const { verifyPhone, flow } = await runUntil('verifyPhone');
    setIntercept(async (path, send) => {
      const response = await send();
      if (path.endsWith('/phone/verify')) throw new TypeError('Network request failed');
      return response;
    });
    expect(await rejection(verifyPhone())).toMatchObject({ outcome: 'unknown' });
    expect(stepOf(await flow.resume())).toBe('identity');
  });

  it('finds consents that are recorded, and their policy, on another device', async () => {
    const { runUntil, open, store, steps, mock } = await setUpRegistration('US');
    await runUntil('recordConsent');
    const { onboardingId } = JSON.parse(store.entries.get(REGISTRATION_KEY) ?? '');
    store.entries.clear();
    const again = open();
    expect(stepOf(await again.resume({ onboardingId, phase: 'PHYSICAL_ADDRESS' }))).toBe('consent');
    expect(stepOf(await steps(again).recordConsent())).toBe('address');
    const { body } = mock.requests.only({ operation: 'consent.createOnboarding' });
    expect(Object(body)['policyType']).toBe('US');
  });

  it('keeps the policy of its country when the service does not show the country', async () => {
    const { runUntil, open, steps, mock, setIntercept } = await setUpRegistration('US');
    await runUntil('recordConsent');
    setIntercept(async (path, send) => {
      const response = await send();
      if (path !== '/v1/auth/register') return response;
      return json({ ...(await response.json()), countryOfResidence: undefined });
    });
    const again = open();
    expect(stepOf(await again.resume())).toBe('consent');
    await steps(again).recordConsent();
    const { body } = mock.requests.only({ operation: 'consent.createOnboarding' });
    expect(Object(body)['policyType']).toBe('US');
  });

  it('does not ask for consents again that it has recorded', async () => {
    const { runUntil } = await setUpRegistration();
    const { flow, submitPersonalDetails } = await runUntil('submitAddress');
    expect(stepOf(await flow.resume({ phase: 'PERSONAL_INFORMATION' }))).toBe('personal_details');
    expect(stepOf(await submitPersonalDetails())).toBe('address');
  });

  it('stays at log_in without a phase, and reads nothing', async () => {
    const { runUntil, mock, setIntercept } = await setUpRegistration();
    const { flow, submitAddress } = await runUntil('submitAddress');
    const { onboardingId } = mock.state.consentSets?.[0] ?? {};
    setIntercept(() => Promise.reject(new TypeError('Network request failed')));
    const end = await submitAddress();
    expect(end).toMatchObject({ status: 'log_in', reason: 'outcome_unknown' });
    setIntercept((_, send) => send());
    const sent = mock.requests.length;
    expect(await flow.resume()).toEqual(end);
    expect(await flow.resume({ onboardingId })).toEqual(end);
    expect(mock.requests).toHaveLength(sent);
  });

  it('continues with the phase of a later login although it had returned log_in', async () => {
    const { runUntil, setIntercept, platform: client, steps } = await setUpRegistration('US');
    const { flow, submitAddress } = await runUntil('submitAddress');
    setIntercept(async (path, send) => {
      const response = await send();
      if (path.endsWith('/address')) throw new TypeError('Network request failed');
      return response;
    });
    expect(stepOf(await submitAddress({ isSameMailingAddress: false }))).toBe('log_in');
    setIntercept((_, send) => send());
    expect(stepOf(await flow.resume())).toBe('log_in');
    const { phase } = await client.auth.login({ email: EMAIL, password: PASSWORD });
    expect(phase).toBe('MAILING_ADDRESS');
    expect(stepOf(await flow.resume({ phase }))).toBe('mailing_address');
    const all = steps(flow);
    expect(stepOf(await all.submitMailingAddress())).toBe('link_consent');
    expect(stepOf(await all.linkConsent())).toBe('registered');
  });

  it('ends with a login when the address was stored and its token never arrived', async () => {
    const { runUntil, open, store } = await setUpRegistration();
    const { submitAddress } = await runUntil('submitAddress');
    const before = store.entries.get(REGISTRATION_KEY) ?? '';
    await submitAddress();
    store.entries.set(REGISTRATION_KEY, before);
    expect(await open().resume()).toMatchObject({ reason: 'outcome_unknown' });
  });

  it('needs the onboardingId for a phase, and reads nothing without one', async () => {
    const { open, mock } = await setUpRegistration();
    expect(stepOf(await open().resume())).toBe('email');
    expect(await rejection(open().resume({ phase: 'PHONE_NUMBER' }))).toMatchObject({
      option: 'onboardingId',
    });
    expect(mock.requests).toHaveLength(0);
  });

  it('says how to continue on a device that lacks the id of the e-mail step', async () => {
    const { runUntil, open, store, steps, mock } = await setUpRegistration();
    await runUntil('sendPhoneCode');
    const { onboardingId } = JSON.parse(store.entries.get(REGISTRATION_KEY) ?? '');
    store.entries.clear();
    const again = open();
    expect(stepOf(await again.resume({ onboardingId, phase: 'PHONE_NUMBER' }))).toBe('phone');
    const sent = mock.requests.length;
    const error = await rejection(steps(again).sendPhoneCode());
    expect(error).toMatchObject({ option: 'contactVerificationId', outcome: 'not_sent' });
    expect(error).toHaveProperty(
      'message',
      'contactVerificationId is not known on this device, so nothing was sent. Continue on the ' +
        'device where the registration began, or begin again with restart().',
    );
    expect(mock.requests).toHaveLength(sent);
    expect(stepOf(await again.restart())).toBe('email');
  });
});
