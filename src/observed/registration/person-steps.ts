import {
  startRegistrationVerification,
  submitPersonalDetails,
} from '../../contract/observed/registration.js';
import { call } from '../../endpoints/index.js';
import { withSecrets } from '../oauth/with-secrets.js';
import { policyOf, recordConsents } from './consent-steps.js';
import type { RegistrationFlow } from './flow-types.js';
import { type RegistrationContext, required } from './options.js';

type PersonSteps = Pick<
  RegistrationFlow,
  'startVerification' | 'submitPersonalDetails' | 'recordConsent'
>;

/** The steps for the identity, the personal details and the consents. */
export function personSteps(context: RegistrationContext): PersonSteps {
  const { client, region, runner, stored } = context;
  let page: { readonly onboardingId: string; readonly sessionUrl: string } | undefined;
  return {
    startVerification: ({ isNew = false } = {}) =>
      runner.exclusively(async () => {
        const onboardingId = required(await stored.read(), 'onboardingId');
        if (page === undefined || isNew || page.onboardingId !== onboardingId) {
          const input = { onboardingId };
          const started = await call(client, startRegistrationVerification, input, { region });
          page = { onboardingId, sessionUrl: started.sessionUrl };
        }
        return withSecrets({}, { sessionUrl: page.sessionUrl });
      }),

    submitPersonalDetails: (input) =>
      runner.run({
        at: ['identity', 'personal_details'],
        refusedAs: 'not_verified',
        work: async (state) => {
          const whole = { ...input, onboardingId: required(state, 'onboardingId') };
          await call(client, submitPersonalDetails, whole, { region });
          return runner.goTo(context.afterDetails(state));
        },
      }),

    recordConsent: ({ policyType, ...input }) =>
      runner.run({
        at: ['consent'],
        work: async (state) => {
          const onboardingId = required(state, 'onboardingId');
          const policy = policyType ?? policyOf(state.isInUs);
          const whole = { ...input, onboardingId, policyType: policy };
          const consentSetId = await recordConsents(context, whole);
          return runner.goTo('address', { consentSetId });
        },
      }),
  };
}
