import { call } from '../../endpoints/index.js';
import { getRegistration } from '../endpoints/registration.js';
import { livesInUs } from './contact-steps.js';
import type { ResumeInput } from './flow-types.js';
import { type RegistrationContext, required } from './options.js';
import type { RegistrationProgress } from './progress.js';
import { stepToContinue } from './steps.js';

/** Reads a registration back, and continues at the step that it shows. */
export function resume(
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
