import {
  sendRegistrationEmailCode,
  sendRegistrationPhoneCode,
  verifyRegistrationEmail,
  verifyRegistrationPhone,
} from '../../contract/observed/registration-contact.js';
import { call } from '../../endpoints/index.js';
import type { RegistrationFlow } from './flow-types.js';
import { type RegistrationContext, required } from './options.js';

type ContactSteps = Pick<
  RegistrationFlow,
  'sendEmailCode' | 'verifyEmail' | 'sendPhoneCode' | 'verifyPhone'
>;

/** Whether the user lives in the US. A wrong input is refused by the call. */
export const livesInUs = (country: unknown) => String(country).toUpperCase() === 'US';

/** The steps that verify e-mail address and phone. */
export function contactSteps({ client, region, runner }: RegistrationContext): ContactSteps {
  const options = { region };
  const expires = 'code_expired';
  return {
    sendEmailCode: (input) =>
      runner.run({
        at: ['email', 'email_code'],
        work: async () => {
          const sent = await call(client, sendRegistrationEmailCode, input, options);
          const { contactVerificationId } = sent;
          return runner.goTo('email_code', { contactVerificationId });
        },
      }),

    verifyEmail: (input) =>
      runner.run({
        at: ['email_code'],
        isFinal: true,
        refusedAs: expires,
        work: async (state) => {
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

    sendPhoneCode: (input) =>
      runner.run({
        at: ['phone', 'phone_code'],
        refusedAs: expires,
        work: async (state) => {
          const contactVerificationId = required(state, 'contactVerificationId');
          const whole = { ...input, contactVerificationId };
          await call(client, sendRegistrationPhoneCode, whole, options);
          return runner.goTo('phone_code');
        },
      }),

    verifyPhone: (input) =>
      runner.run({
        at: ['phone', 'phone_code'],
        refusedAs: expires,
        work: async (state) => {
          const contactVerificationId = required(state, 'contactVerificationId');
          const onboardingId = required(state, 'onboardingId');
          const whole = { ...input, contactVerificationId, onboardingId };
          await call(client, verifyRegistrationPhone, whole, options);
          return runner.goTo('identity', { contactVerificationId: undefined });
        },
      }),
  };
}
