import type { Registration } from '../../contract/observed/registration-types.js';
import type { OnboardingPhase } from '../../index.js';

/** The next step of the user. */
export type RegistrationStepName = (typeof STEPS)[number];

const STEPS = [
  'email',
  'email_code',
  'phone',
  'phone_code',
  'identity',
  'personal_details',
  'consent',
  'address',
  'mailing_address',
  'link_consent',
] as const;

/** The first and the last step of each phase. Phases are coarser than steps. */
const PHASES: Readonly<Record<string, readonly [RegistrationStepName, RegistrationStepName]>> = {
  ACCOUNT: ['email', 'email_code'],
  PHONE_NUMBER: ['phone', 'phone_code'],
  PERSONAL_INFORMATION: ['identity', 'personal_details'],
  PHYSICAL_ADDRESS: ['consent', 'address'],
  MAILING_ADDRESS: ['mailing_address', 'mailing_address'],
};

const place = (step: RegistrationStepName) => STEPS.indexOf(step);
const later = (one: RegistrationStepName, other: RegistrationStepName) =>
  place(one) > place(other) ? one : other;

/** Whether a text is the name of a step. */
export function isStep(value: unknown): value is RegistrationStepName {
  return STEPS.some((step) => step === value);
}

/**
 * Returns the step at which a user continues whose login has ended in a `phase`; `undefined` for a
 * phase that this version does not know.
 *
 * @experimental
 * @example
 * ```ts
 * import { registrationStepOfPhase } from 'card-platform-sdk/observed';
 *
 * console.log(registrationStepOfPhase('PHYSICAL_ADDRESS')); // consent
 * ```
 */
export function registrationStepOfPhase(
  phase: OnboardingPhase | (string & {}),
): RegistrationStepName | undefined {
  return Object.hasOwn(PHASES, phase) ? PHASES[phase]?.[0] : undefined;
}

const isFilled = (value: unknown) => typeof value === 'string' && value.trim() !== '';

/** The first step that the fields of a registration do not show as done. */
function stepOfFields(read: Registration): RegistrationStepName {
  if (isFilled(read.addressLine1)) return 'link_consent';
  if ([read.firstName, read.lastName, read.dateOfBirth].every(isFilled)) return 'consent';
  // The state is PENDING as soon as a session is created. Other states are not known.
  if (read.verificationState === 'VERIFIED') return 'personal_details';
  return isFilled(read.phoneNumber) ? 'identity' : 'phone';
}

/** The facts about an unfinished registration. */
type StepFacts = {
  step: RegistrationStepName;
  phase?: OnboardingPhase | (string & {}) | null | undefined;
  read: Registration;
};

/**
 * Returns the step at which a registration continues. After a lost response, the service may be ahead
 * of this device. The phase of a login limits both.
 */
export function stepToContinue({ step, phase, read }: StepFacts): RegistrationStepName {
  const shown = stepOfFields(read);
  // An address shows nothing about the mailing address, which only this device knows to be missing.
  const isMailingNext = step === 'mailing_address' && shown === 'link_consent';
  const reached = isMailingNext ? step : later(step, shown);
  const range = phase && Object.hasOwn(PHASES, phase) ? PHASES[phase] : undefined;
  if (range === undefined) return reached;
  const [first, last] = range;
  return place(reached) > place(last) ? last : later(reached, first);
}
