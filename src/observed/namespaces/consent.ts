import {
  type ConsentByOnboarding,
  type ConsentByOnboardingInput,
  type ConsentByUser,
  type ConsentByUserInput,
  getConsentByOnboarding,
  getConsentByUser,
} from '../../contract/observed/consent.js';
import type { PlatformPromise, RequestOptions } from '../../index.js';
import { ObservedCalls } from '../calls.js';

/**
 * Lookups of consents. Neither carries a secret key or a bearer token.
 *
 * @experimental
 */
export class ObservedConsentCalls extends ObservedCalls {
  /**
   * Returns the consents of an onboarding; `null` when there are none. Recovers the `consentSetId`
   * that was lost with the response of `consent.createOnboarding`, and explains its 409.
   *
   * Endpoint: `GET /v2/consent/onboarding/{onboardingId}` (observed). Certainty high (one client
   * and the vendor page). Retries: safe. Secret: `onboardingId`. Every 404 is returned as `null`,
   * whatever its cause.
   *
   * @experimental
   * @throws ApiError when the service refuses it
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { consent } = observe(client);
   * const found = await consent.getByOnboarding({ onboardingId: 'the id of verifyEmail' });
   * console.log(found?.consentSets?.[0]?.consentSetId);
   * ```
   */
  getByOnboarding(
    input: ConsentByOnboardingInput,
    options?: RequestOptions,
  ): PlatformPromise<ConsentByOnboarding | null> {
    return this.send(getConsentByOnboarding, input, options);
  }

  /**
   * Returns whether the consents of a user are complete, and with `full: 'true'` the sets.
   *
   * Endpoint: `GET /v2/consent/user/{userId}` (observed). Certainty medium (the vendor page alone).
   * Retries: safe.
   *
   * @experimental
   * @throws ApiError when the service refuses it
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { consentStatus } = await observe(client).consent.getByUser({ userId: 'user-1' });
   * ```
   */
  getByUser(input: ConsentByUserInput, options?: RequestOptions): PlatformPromise<ConsentByUser> {
    return this.send(getConsentByUser, input, options);
  }
}
