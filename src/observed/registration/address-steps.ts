import { submitAddress, submitMailingAddress } from '../../contract/observed/registration.js';
import type { RegisteredUser } from '../../contract/observed/registration-types.js';
import { call } from '../../endpoints/index.js';
import { isLinked, requireConsents } from './consent-steps.js';
import type { RegistrationFlow } from './flow-types.js';
import { type RegistrationContext, required } from './options.js';
import type { RegistrationProgress } from './progress.js';
import type { StoredRegistration } from './stored-registration.js';

type AddressSteps = Pick<
  RegistrationFlow,
  'submitAddress' | 'submitMailingAddress' | 'linkConsent'
>;

/** The steps that create the user. */
export function addressSteps(context: RegistrationContext): AddressSteps {
  const { client, region, runner, consents } = context;

  /** The user exists. Only the consents must still be linked. */
  async function afterUser(
    { consentSetId }: StoredRegistration,
    { accessToken, user }: RegisteredUser,
  ): Promise<RegistrationProgress> {
    runner.keepToken(accessToken);
    const userId = user?.id ?? undefined;
    if (consents === undefined || consentSetId === undefined) return runner.finish(userId);
    // Without the user's id, the app links them after a login, which returns it.
    return userId === undefined ? runner.end('no_token') : runner.goTo('link_consent', { userId });
  }

  return {
    submitAddress: (input) =>
      runner.run({
        at: ['address'],
        isFinal: true,
        refusedAs: 'not_verified',
        work: async (state) => {
          const isSameMailingAddress = input.isSameMailingAddress ?? true;
          const onboardingId = required(state, 'onboardingId');
          const whole = { ...input, isSameMailingAddress, onboardingId };
          const result = await call(client, submitAddress, whole, { region });
          const isPartial = !isSameMailingAddress && !result.accessToken;
          return isPartial ? runner.goTo('mailing_address') : afterUser(state, result);
        },
      }),

    submitMailingAddress: (input) =>
      runner.run({
        at: ['mailing_address'],
        isFinal: true,
        refusedAs: 'not_verified',
        work: async (state) => {
          const whole = { ...input, onboardingId: required(state, 'onboardingId') };
          const result = await call(client, submitMailingAddress, whole, { region });
          return afterUser(state, result);
        },
      }),

    linkConsent: () =>
      runner.run({
        at: ['link_consent'],
        work: async (state) => {
          const consentSetId = required(state, 'consentSetId');
          const userId = required(state, 'userId');
          try {
            await requireConsents(consents).link({ consentSetId, userId });
          } catch (error) {
            if (!isLinked(error)) throw error;
          }
          return runner.finish(userId);
        },
      }),
  };
}
