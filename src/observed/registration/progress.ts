import { withSecrets } from '../oauth/with-secrets.js';
import type { RegistrationStepName } from './steps.js';

/**
 * Why the user must log in instead of continuing.
 *
 * - `has_account`: the address has an account already.
 * - `outcome_unknown`: the step that creates the account or the user was sent, and its result is not
 *   known. The service has been seen to create the user and still respond with 500. A second try
 *   fails. If the login is refused, call `restart`.
 * - `no_token`: the user is registered, but there is no token: the service returned none, or no
 *   user id with it, or the app was restarted since.
 */
export type LogInReason = 'has_account' | 'outcome_unknown' | 'no_token';

/**
 * Why a step must be repeated.
 *
 * - `code_expired`: the code, or the `contactVerificationId` that it belongs to, is too old.
 * - `not_verified`: the service refused the step because the identity is not verified.
 */
export type StepDueAgainReason = 'code_expired' | 'not_verified';

/** The progress of a registration. Its printout contains nothing personal. */
export type RegistrationProgress =
  | {
      readonly status: 'in_progress';
      readonly step: RegistrationStepName;
      readonly reason?: StepDueAgainReason;
    }
  | {
      readonly status: 'registered';
      /**
       * It comes without a refresh token: see `startOAuthLogin` for a session that lasts. Never
       * printed.
       */
      readonly accessToken: string;
      /** The permanent id; `undefined` if the service did not return it. */
      readonly userId: string | undefined;
    }
  | {
      readonly status: 'log_in';
      readonly reason: LogInReason;
      /** Consents that are not linked yet: link them to the `userId` of the login. */
      readonly consentSetId: string | undefined;
    };

/** A registration that continues. */
export function inProgress(
  step: RegistrationStepName,
  reason?: StepDueAgainReason,
): RegistrationProgress {
  return Object.freeze({ status: 'in_progress', step, ...(reason && { reason }) });
}

/** A registration that has ended with a login. */
export function logIn(reason: LogInReason, consentSetId?: string): RegistrationProgress {
  return Object.freeze({ status: 'log_in', reason, consentSetId });
}

/** A registration that has ended with a token. */
export function registered(accessToken: string, userId: string | undefined): RegistrationProgress {
  return withSecrets({ status: 'registered' as const, userId }, { accessToken });
}
