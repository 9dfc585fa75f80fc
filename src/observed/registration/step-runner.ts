import { ConfigurationError, RequestValidationError } from '../../endpoints/index.js';
import { copyInput } from '../../transport/request/copy-input.js';
import {
  inProgress,
  type LogInReason,
  logIn,
  type RegistrationProgress,
  registered,
  type StepDueAgainReason,
} from './progress.js';
import { hadNoEffect, isExpiredCode, isNotVerified } from './refusals.js';
import type { RegistrationStepName } from './steps.js';
import type { RegistrationStore, StoredRegistration } from './stored-registration.js';

/** One step. */
type StepRun<Input> = {
  /** The steps at which it is allowed. */
  at: readonly RegistrationStepName[];
  /** Whether the service creates something that a second request cannot create again. */
  isFinal?: boolean;
  /** The reason to report when a refusal is not the fault of the input. */
  refusedAs?: StepDueAgainReason;
  /** Gets a copy of the input. */
  work: (state: StoredRegistration, input: Input) => Promise<RegistrationProgress>;
};

/** @throws ConfigurationError when the registration is at another step */
export function requireStep(
  step: RegistrationStepName,
  allowed: readonly RegistrationStepName[],
): void {
  if (allowed.includes(step)) return;
  throw new ConfigurationError(
    'step',
    `the registration is at ${step}, so nothing was sent. Continue with that step.`,
  );
}

/** The error of a step that has no progress to return. */
export function registrationEnded(): ConfigurationError {
  return new ConfigurationError(
    'step',
    'the registration has ended, so nothing was sent. Let the user log in.',
  );
}

/** Runs the steps of a registration, one at a time and in their order. */
export class StepRunner {
  readonly #stored: RegistrationStore;
  #isRunning = false;
  /** The token of a registered user, by the user's id. Never stored. */
  #kept: { readonly userId: string | undefined; readonly accessToken: string } | undefined;

  constructor(stored: RegistrationStore) {
    this.#stored = stored;
  }

  /** Keeps the token of a user until the last step. */
  keepToken(userId: string | undefined, accessToken: string | null | undefined): void {
    this.#kept = accessToken ? { userId, accessToken } : undefined;
  }

  /** Returns the progress of the registration. */
  async progress(): Promise<RegistrationProgress> {
    if (!this.#isRunning) await this.#endInterrupted();
    return this.current();
  }

  /** The same, for use within a step. */
  async current(): Promise<RegistrationProgress> {
    const { step, ended, consentSetId } = await this.#stored.read();
    return ended === undefined ? inProgress(step) : logIn(ended, consentSetId);
  }

  /** Continues with a step. A store that fails here must not make the caller send a finished step again. */
  async goTo(
    step: RegistrationStepName,
    changes: Partial<StoredRegistration> = {},
    reason?: StepDueAgainReason,
  ): Promise<RegistrationProgress> {
    const next = { ...changes, step, isSending: undefined };
    await this.#stored.write(next).catch(() => undefined);
    return inProgress(step, reason);
  }

  /** Ends with a login. After an unclear end, the login may show that the registration continues. */
  async end(ended: LogInReason): Promise<RegistrationProgress> {
    const { step, onboardingId, isInUs, consentSetId } = await this.#stored.read();
    const kept = ended === 'outcome_unknown' ? { step, onboardingId, isInUs } : {};
    await this.#stored.replace({ ...kept, consentSetId, ended }).catch(() => undefined);
    return logIn(ended, consentSetId);
  }

  /** Ends after the last step: with the token, or with a login if there is none. */
  async finish(userId: string | undefined): Promise<RegistrationProgress> {
    const kept = this.#kept;
    this.#kept = undefined;
    const accessToken = kept?.userId === userId ? kept?.accessToken : undefined;
    const rest = accessToken === undefined ? ({ ended: 'no_token' } as const) : undefined;
    await this.#stored.replace(rest).catch(() => undefined);
    return accessToken === undefined ? logIn('no_token') : registered(accessToken, userId);
  }

  /** Starts again. */
  restart(): Promise<RegistrationProgress> {
    return this.exclusively(async () => {
      this.#kept = undefined;
      await this.#stored.replace(undefined);
      return inProgress('email');
    });
  }

  /** Runs a step with the input as it is now. */
  async run<Input extends object>(
    given: Input,
    step: StepRun<Input>,
  ): Promise<RegistrationProgress> {
    const { copy, issues } = copyInput(given ?? {});
    if (issues.length > 0) throw new RequestValidationError(issues);
    return this.exclusively(async () => {
      const state = await this.#stored.read();
      if (state.ended !== undefined) return this.current();
      requireStep(state.step, step.at);
      if (step.isFinal) await this.#stored.mark();
      try {
        return await step.work(state, copy as Input);
      } catch (error) {
        return this.#afterError(error, step, state);
      }
    });
  }

  /** Runs work while no step runs. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isRunning) {
      throw new ConfigurationError(
        'step',
        'another step of this registration is running, so this one was not sent. Wait for the other step.',
      );
    }
    this.#isRunning = true;
    try {
      await this.#endInterrupted();
      return await work();
    } finally {
      this.#isRunning = false;
    }
  }

  /** Ends a registration whose app died before the response to a final step arrived. */
  async #endInterrupted(): Promise<void> {
    const { isSending, ended } = await this.#stored.read();
    if (isSending && ended === undefined) await this.end('outcome_unknown');
  }

  async #afterError(
    error: unknown,
    { isFinal, refusedAs }: Pick<StepRun<never>, 'isFinal' | 'refusedAs'>,
    { step }: StoredRegistration,
  ): Promise<RegistrationProgress> {
    if (refusedAs === 'code_expired' && isExpiredCode(error)) {
      return this.goTo('email', { contactVerificationId: undefined }, refusedAs);
    }
    if (refusedAs === 'not_verified' && isNotVerified(error)) {
      return this.goTo(step, {}, refusedAs);
    }
    if (isFinal && !hadNoEffect(error)) return this.end('outcome_unknown');
    if (isFinal) await this.goTo(step);
    throw error;
  }
}
