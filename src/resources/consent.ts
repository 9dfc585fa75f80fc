import {
  type ConsentSet,
  type CreateConsentInput,
  type CreatedConsentSet,
  createOnboardingConsent,
  type GetConsentSetInput,
  getConsentSet,
  type LinkConsentInput,
  type LinkedConsentSet,
  linkConsentToUser,
} from '../contract/consent.js';
import {
  type ConsentAudit,
  type ConsentAuditInput,
  getConsentAudit,
} from '../contract/consent-audit.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/** Onboarding consent: created before there is a user, linked later. Server-side only. */
export class ConsentResource extends Resource {
  /**
   * Records a person's consents during onboarding. `US` requires all five types, `global` the
   * four without `eSignAct`.
   *
   * Endpoint: `POST /v2/consent/onboarding`
   *
   * @throws ConflictError with code `consent_set_exists`; after a lost response its
   *   `probableOutcome` is `executed`
   * @example
   * ```ts
   * const { consentSetId } = await client.consent.createOnboarding({
   *   onboardingId: 'onb_1',
   *   tenantId: 'tenant_1',
   *   policyType: 'global',
   *   consents: [
   *     { consentType: 'termsAndPrivacy', consentStatus: 'granted' },
   *     { consentType: 'marketingNotifications', consentStatus: 'denied' },
   *     { consentType: 'smsNotifications', consentStatus: 'granted' },
   *     { consentType: 'emailNotifications', consentStatus: 'granted' },
   *   ],
   * });
   * ```
   */
  createOnboarding(
    input: CreateConsentInput,
    options?: RequestOptions,
  ): PlatformPromise<CreatedConsentSet> {
    return this.send(createOnboardingConsent, input, options);
  }

  /**
   * Links a consent set to the user that the onboarding created. Cannot be undone.
   *
   * Endpoint: `PATCH /v2/consent/onboarding/{consentSetId}`
   *
   * @throws NotFoundError with code `consent_set_not_found`
   * @throws ConflictError with code `consent_already_linked`
   * @example
   * ```ts
   * await client.consent.linkUser({
   *   consentSetId: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e',
   *   userId: '0b7c9d1e-2f3a-4b5c-8d6e-7f8091a2b3c4',
   * });
   * ```
   */
  linkUser(input: LinkConsentInput, options?: RequestOptions): PlatformPromise<LinkedConsentSet> {
    return this.send(linkConsentToUser, input, options);
  }

  /**
   * Returns a consent set.
   *
   * Endpoint: `GET /v2/consent/consentSet/{id}` (preview)
   *
   * @experimental
   * @throws NotFoundError with code `consent_set_not_found`
   * @example
   * ```ts
   * const set = await client.consent.getSet({ id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e' });
   * ```
   */
  getSet(input: GetConsentSetInput, options?: RequestOptions): PlatformPromise<ConsentSet>;
  getSet<Output>(
    input: GetConsentSetInput,
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
  getSet(input: GetConsentSetInput, options?: RequestOptions) {
    return this.send(getConsentSet, input, options);
  }

  /**
   * Returns the audit trail of a user's consents.
   *
   * Endpoint: `GET /v2/consent/user/{userId}/audit` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * const audit = await client.consent.getUserAudit({
   *   userId: '0b7c9d1e-2f3a-4b5c-8d6e-7f8091a2b3c4',
   *   limit: 20,
   * });
   * ```
   */
  getUserAudit(input: ConsentAuditInput, options?: RequestOptions): PlatformPromise<ConsentAudit>;
  getUserAudit<Output>(
    input: ConsentAuditInput,
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
  getUserAudit(input: ConsentAuditInput, options?: RequestOptions) {
    return this.send(getConsentAudit, input, options);
  }
}
