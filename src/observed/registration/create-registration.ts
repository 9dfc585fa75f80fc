import { getRegistration } from '../../contract/observed/registration.js';
import { call, type Sender } from '../../endpoints/index.js';
import { addressSteps } from './address-steps.js';
import { contactSteps, livesInUs } from './contact-steps.js';
import type { RegistrationFlow, ResumeInput } from './flow-types.js';
import {
  contextOf,
  type RegistrationContext,
  type RegistrationOptions,
  required,
} from './options.js';
import { personSteps } from './person-steps.js';
import type { RegistrationProgress } from './progress.js';
import { stepToContinue } from './steps.js';

/** Reads a registration back, and continues at the step that it shows. */
function resume(
  context: RegistrationContext,
  { phase, onboardingId: given }: ResumeInput,
): Promise<RegistrationProgress> {
  const { client, region, runner, stored } = context;
  return runner.exclusively(async () => {
    const state = await stored.read();
    // A login with a phase shows that the registration has not ended.
    if (state.ended !== undefined && !phase) return runner.current();
    const onboardingId = given ?? state.onboardingId;
    if (onboardingId === undefined && !phase) return runner.current();
    const known = required({ onboardingId }, 'onboardingId');
    const read = await call(client, getRegistration, { onboardingId: known }, { region });
    const step = stepToContinue({ step: state.step, phase, read });
    const country = read.countryOfResidence;
    const isInUs = country ? livesInUs(country) : state.isInUs;
    const changes = { onboardingId: known, isInUs, ended: undefined };
    if (step === 'consent') return runner.goTo(context.afterDetails(state), changes);
    // The address was stored, but its token never arrived.
    if (step === 'link_consent' && state.userId === undefined) {
      return runner.end('outcome_unknown');
    }
    return runner.goTo(step, changes);
  });
}

/**
 * Creates a guided registration: from an e-mail address to a user with an access token. It knows which
 * step is next, keeps the ids that the steps need, and continues after a restart. No step that
 * creates the account or the user is sent twice.
 *
 * Endpoints: `/v1/auth/register/*`, `POST` and `PATCH /v2/consent/onboarding`. Two clients and the
 * vendor page; paths and bodies certainty high, error statuses low.
 *
 * @experimental
 * @throws ConfigurationError that names the option
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
