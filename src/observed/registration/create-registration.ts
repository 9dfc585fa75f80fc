import {
  getRegistration,
  startRegistrationVerification,
  submitAddress,
  submitMailingAddress,
  submitPersonalDetails,
} from '../../contract/observed/registration.js';
import {
  sendRegistrationEmailCode,
  sendRegistrationPhoneCode,
  verifyRegistrationEmail,
  verifyRegistrationPhone,
} from '../../contract/observed/registration-contact.js';
import type { RegisteredUser } from '../../contract/observed/registration-types.js';
import { call, type Sender } from '../../endpoints/index.js';
import { withSecrets } from '../oauth/with-secrets.js';
import { linkConsents, policyOf, recordConsents } from './consent-steps.js';
import type { RegistrationFlow, ResumeInput } from './flow-types.js';
import {
  contextOf,
  type RegistrationContext,
  type RegistrationOptions,
  required,
} from './options.js';
import type { RegistrationProgress } from './progress.js';
import { registrationEnded, requireStep } from './step-runner.js';
import { stepToContinue } from './steps.js';
import type { StoredRegistration } from './stored-registration.js';

type PersonSteps = Pick<
  RegistrationFlow,
  'startVerification' | 'submitPersonalDetails' | 'recordConsent'
>;

/** The steps that the service may refuse because the identity is not verified. */
const NEEDS_IDENTITY = ['identity', 'personal_details', 'address', 'mailing_address'] as const;

/** The steps for the identity, the personal details and the consents. */
function personSteps(context: RegistrationContext): PersonSteps {
  const { client, region, runner, stored } = context;
  let page: { readonly onboardingId: string; readonly sessionUrl: string } | undefined;
  return {
    startVerification: ({ isNew = false } = {}) =>
      runner.exclusively(async () => {
        const state = await stored.read();
        const onboardingId = required(state, 'onboardingId');
        if (page === undefined || isNew || page.onboardingId !== onboardingId) {
          if (state.ended !== undefined) throw registrationEnded();
          requireStep(state.step, NEEDS_IDENTITY);
          const input = { onboardingId };
          const started = await call(client, startRegistrationVerification, input, { region });
          page = { onboardingId, sessionUrl: started.sessionUrl };
        }
        return withSecrets({}, { sessionUrl: page.sessionUrl });
      }),

    submitPersonalDetails: (given) =>
      runner.run(given, {
        at: ['identity', 'personal_details'],
        refusedAs: 'not_verified',
        work: async (state, input) => {
          const whole = { ...input, onboardingId: required(state, 'onboardingId') };
          await call(client, submitPersonalDetails, whole, { region });
          return runner.goTo(context.afterDetails(state));
        },
      }),

    recordConsent: (given) =>
      runner.run(given, {
        at: ['consent'],
        work: async (state, input) => {
          const onboardingId = required(state, 'onboardingId');
          const policyType = input.policyType ?? policyOf(state.isInUs);
          const whole = { ...input, onboardingId, policyType };
          const consentSetId = await recordConsents(context, whole);
          return runner.goTo('address', { consentSetId });
        },
      }),
  };
}

type ContactSteps = Pick<
  RegistrationFlow,
  'sendEmailCode' | 'verifyEmail' | 'sendPhoneCode' | 'verifyPhone'
>;

/** Whether the user lives in the US. A wrong input is refused by the call. */
const livesInUs = (country: unknown) => String(country).toUpperCase() === 'US';

/** The steps that verify e-mail address and phone. */
function contactSteps({ client, region, runner }: RegistrationContext): ContactSteps {
  const options = { region };
  const expires = 'code_expired';
  return {
    sendEmailCode: (given) =>
      runner.run(given, {
        at: ['email', 'email_code'],
        work: async (_, input) => {
          const sent = await call(client, sendRegistrationEmailCode, input, options);
          const { contactVerificationId } = sent;
          return runner.goTo('email_code', { contactVerificationId });
        },
      }),

    verifyEmail: (given) =>
      runner.run(given, {
        at: ['email_code'],
        isFinal: true,
        refusedAs: expires,
        work: async (state, input) => {
          const contactVerificationId = required(state, 'contactVerificationId');
          const whole = { ...input, contactVerificationId };
          const verified = await call(client, verifyRegistrationEmail, whole, options);
          if (verified.hasAccount === true) return runner.end('has_account');
          const { onboardingId } = verified;
          // The account may exist now, and nothing else names its registration.
          if (!onboardingId) return runner.end('outcome_unknown');
          const isInUs = livesInUs(input.countryOfResidence);
          return runner.goTo('phone', { onboardingId, isInUs });
        },
      }),

    sendPhoneCode: (given) =>
      runner.run(given, {
        at: ['phone', 'phone_code'],
        refusedAs: expires,
        work: async (state, input) => {
          const contactVerificationId = required(state, 'contactVerificationId');
          const whole = { ...input, contactVerificationId };
          await call(client, sendRegistrationPhoneCode, whole, options);
          return runner.goTo('phone_code');
        },
      }),

    verifyPhone: (given) =>
      runner.run(given, {
        at: ['phone', 'phone_code'],
        refusedAs: expires,
        work: async (state, input) => {
          const contactVerificationId = required(state, 'contactVerificationId');
          const onboardingId = required(state, 'onboardingId');
          const whole = { ...input, contactVerificationId, onboardingId };
          await call(client, verifyRegistrationPhone, whole, options);
          return runner.goTo('identity', { contactVerificationId: undefined });
        },
      }),
  };
}

type AddressSteps = Pick<
  RegistrationFlow,
  'submitAddress' | 'submitMailingAddress' | 'linkConsent'
>;

const NO_INPUT = {};

/** The steps that create the user. */
function addressSteps(context: RegistrationContext): AddressSteps {
  const { client, region, runner, consents } = context;

  /** The user exists. Only the consents must still be linked. */
  async function afterUser(
    { consentSetId }: StoredRegistration,
    { accessToken, user }: RegisteredUser,
  ): Promise<RegistrationProgress> {
    const userId = user?.id ?? undefined;
    runner.keepToken(userId, accessToken);
    if (consents === undefined || consentSetId === undefined) return runner.finish(userId);
    // Without the user's id, the app links them after a login, which returns it.
    return userId === undefined ? runner.end('no_token') : runner.goTo('link_consent', { userId });
  }

  return {
    submitAddress: (given) =>
      runner.run(given, {
        at: ['address'],
        isFinal: true,
        refusedAs: 'not_verified',
        work: async (state, input) => {
          const isSameMailingAddress = input.isSameMailingAddress ?? true;
          const onboardingId = required(state, 'onboardingId');
          const whole = { ...input, isSameMailingAddress, onboardingId };
          const result = await call(client, submitAddress, whole, { region });
          const isPartial = !isSameMailingAddress && !result.accessToken;
          return isPartial ? runner.goTo('mailing_address') : afterUser(state, result);
        },
      }),

    submitMailingAddress: (given) =>
      runner.run(given, {
        at: ['mailing_address'],
        isFinal: true,
        refusedAs: 'not_verified',
        work: async (state, input) => {
          const whole = { ...input, onboardingId: required(state, 'onboardingId') };
          const result = await call(client, submitMailingAddress, whole, { region });
          return afterUser(state, result);
        },
      }),

    linkConsent: () =>
      runner.run(NO_INPUT, {
        at: ['link_consent'],
        work: async (state) => {
          const consentSetId = required(state, 'consentSetId');
          const userId = required(state, 'userId');
          const onboardingId = required(state, 'onboardingId');
          await linkConsents(context, onboardingId, { consentSetId, userId });
          return runner.finish(userId);
        },
      }),
  };
}

/** The stored part that belongs to this person: another one may have begun on this device. */
function partOf(saved: StoredRegistration, onboardingId: string): StoredRegistration {
  if (saved.onboardingId === onboardingId) return saved;
  const ids = { contactVerificationId: undefined, consentSetId: undefined, userId: undefined };
  if (saved.onboardingId === undefined) return { ...saved, ...ids };
  return { ...saved, ...ids, step: 'email', isInUs: undefined };
}

/** Reads a registration back, and continues at the step that it shows. */
function resume(
  context: RegistrationContext,
  { phase, onboardingId: given }: ResumeInput,
): Promise<RegistrationProgress> {
  const { client, region, runner, stored } = context;
  return runner.exclusively(async () => {
    const saved = await stored.read();
    // A login with a phase shows that the registration has not ended.
    if (saved.ended !== undefined && !phase) return runner.current();
    const onboardingId = given ?? saved.onboardingId;
    if (onboardingId === undefined && !phase) return runner.current();
    const known = required({ onboardingId }, 'onboardingId');
    const state = partOf(saved, known);
    const read = await call(client, getRegistration, { onboardingId: known }, { region });
    const step = stepToContinue({ step: state.step, phase, read });
    const country = read.countryOfResidence;
    const isInUs = country ? livesInUs(country) : state.isInUs;
    const changes = { ...state, onboardingId: known, isInUs, ended: undefined };
    if (step === 'consent') return runner.goTo(context.afterDetails(state), changes);
    // The address was stored, but its token never arrived.
    if (step === 'link_consent' && state.userId === undefined) {
      await runner.goTo(state.step, changes);
      return runner.end('outcome_unknown');
    }
    return runner.goTo(step, changes);
  });
}

/**
 * Creates a guided registration: from an e-mail address to a user with an access token. It knows which
 * step is next, keeps the ids that the steps need, and continues after a restart. After an unclear outcome, no
 * step that creates the account or the user is sent again. An error status below 500, except 408, counts as a
 * refusal if it has words and is no HTML page.
 *
 * Endpoints: `/v1/auth/register/*`, `POST` and `PATCH /v2/consent/onboarding`. Two clients and the
 * vendor page; paths and bodies certainty high, error statuses low.
 *
 * @experimental
 * @throws ConfigurationError that says which option is wrong
 * @example
 * ```ts
 * import { createRegistration } from 'card-platform-sdk/observed';
 *
 * const registration = createRegistration(client, { region: 'global' });
 * const progress = await registration.sendEmailCode({ email: 'new@example.com' });
 * console.log(progress.status); // in_progress
 * ```
 */
export function createRegistration(client: Sender, options: RegistrationOptions): RegistrationFlow {
  const context = contextOf(client, options);
  return Object.freeze({
    progress: () => context.runner.progress(),
    resume: (known = {}) => resume(context, known),
    restart: () => context.runner.restart(),
    ...contactSteps(context),
    ...personSteps(context),
    ...addressSteps(context),
  });
}
