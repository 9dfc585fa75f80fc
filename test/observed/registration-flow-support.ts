import { CardPlatformClient, type FetchFunction, REQUIRED_CONSENTS } from '../../src/index.js';
import { createRegistration } from '../../src/observed/registration/create-registration.js';
import type { RegistrationFlow } from '../../src/observed/registration/flow-types.js';
import type { RegistrationOptions } from '../../src/observed/registration/options.js';
import type { MockUser } from '../../src/testing/index.js';
import { memoryStore } from '../sessions/support.js';
import { setUpObserved } from './support.js';

export const EMAIL = 'new@example.com';
export const PASSWORD = 'a password of fifteen or more';
export const REGISTRATION_KEY = 'card-platform.registration';
const PHONE = { phoneCountryCode: '+351', phoneNumber: '912345678' };
const ADDRESS = { addressLine1: '1 Road', city: 'Lisbon', zip: '1000' };

/** Decides what happens to a request. */
export type Interception = (path: string, send: () => Promise<Response>) => Promise<Response>;

/** Creates a registration of a new user, and the actions of that user outside the app. */
export async function setUpRegistration(
  country = 'PT',
  options: Partial<RegistrationOptions> = {},
) {
  const { mock, observed } = await setUpObserved();
  let intercept: Interception = (_, send) => send();
  const fetch: FetchFunction = (url, init) =>
    intercept(new URL(url).pathname, () => mock.fetch(url, init));
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    ...mock.credentials,
    fetch,
    retry: false,
  });
  const store = memoryStore();
  const open = () => createRegistration(client, { region: 'global', store, ...options });
  const isUs = country === 'US';
  const user = (): MockUser => mock.users.get(EMAIL);
  const steps = (flow: RegistrationFlow) => ({
    sendEmailCode: () => flow.sendEmailCode({ email: EMAIL }),
    verifyEmail: (changes: { verificationCode?: string } = {}) =>
      flow.verifyEmail({
        email: EMAIL,
        password: PASSWORD,
        verificationCode: observed.codeFor(EMAIL) ?? '000000',
        countryOfResidence: country,
        allowMarketing: false,
        allowSms: true,
        ...changes,
      }),
    sendPhoneCode: () => flow.sendPhoneCode(PHONE),
    verifyPhone: () =>
      flow.verifyPhone({
        ...PHONE,
        verificationCode: observed.codeFor('+351912345678') ?? '000000',
      }),
    verifyIdentity: async () => {
      await flow.startVerification();
      mock.completeVerification(user());
      mock.advance('10 minutes');
      return flow.progress();
    },
    submitPersonalDetails: () =>
      flow.submitPersonalDetails({
        firstName: 'Grace',
        lastName: 'Hopper',
        dateOfBirth: '1980-12-09',
        countryOfNationality: 'PT',
        ...(isUs && { ssn: '123456789' }),
      }),
    recordConsent: () =>
      flow.recordConsent({
        tenantId: 'tenant-1',
        consents: REQUIRED_CONSENTS[isUs ? 'US' : 'global'].map((consentType) => ({
          consentType,
          consentStatus: 'granted' as const,
        })),
      }),
    submitAddress: (changes: { isSameMailingAddress?: boolean } = {}) =>
      flow.submitAddress({ ...ADDRESS, ...(isUs && { usState: 'CA' }), ...changes }),
    submitMailingAddress: () => flow.submitMailingAddress({ ...ADDRESS, usState: 'NY' }),
    linkConsent: () => flow.linkConsent(),
  });
  type Steps = ReturnType<typeof steps>;
  const ORDER: readonly (keyof Steps)[] = [
    'sendEmailCode',
    'verifyEmail',
    'sendPhoneCode',
    'verifyPhone',
    'verifyIdentity',
    'submitPersonalDetails',
    'recordConsent',
    'submitAddress',
    'linkConsent',
  ];
  /** Runs all steps before one. */
  const runUntil = async (name: keyof Steps, flow = open()) => {
    for (const step of ORDER.slice(0, ORDER.indexOf(name))) await steps(flow)[step]();
    return { flow, ...steps(flow) };
  };
  return {
    ...{ mock, observed, platform: client, store, open, steps, runUntil, user, ORDER },
    setIntercept: (next: Interception) => {
      intercept = next;
    },
    count: (operation: string) =>
      mock.requests.filter((request) => request.operation === operation).length,
  };
}
