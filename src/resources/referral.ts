import {
  getReferral,
  type Referral,
  type ReferralValidity,
  type ValidateReferralInput,
  validateReferral,
} from '../contract/referral.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/** Referral codes. */
export class ReferralResource extends Resource {
  /**
   * Returns the user's referral code, which is created on demand; `null` when no campaign is
   * active.
   *
   * Endpoint: `GET /v1/referral`
   *
   * @throws ApiError, for example PermissionError when the credentials do not permit the call
   * @example
   * ```ts
   * const referral = await userClient.referral.get();
   * console.log(referral === null ? 'no campaign' : referral.code);
   * ```
   */
  get(options?: RequestOptions): PlatformPromise<Referral | null> {
    return this.send(getReferral, {}, options);
  }

  /**
   * Returns whether a referral code can be used. Needs no access token.
   *
   * Endpoint: `GET /v1/referral/{code}/validate` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * const { valid } = await client.referral.validate({ code: 'FRIEND42' });
   * ```
   */
  validate(
    input: ValidateReferralInput,
    options?: RequestOptions,
  ): PlatformPromise<ReferralValidity>;
  validate<Output>(
    input: ValidateReferralInput,
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
  validate(input: ValidateReferralInput, options?: RequestOptions) {
    return this.send(validateReferral, input, options);
  }
}
