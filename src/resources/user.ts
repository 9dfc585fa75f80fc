import {
  getUser,
  startVerification,
  type User,
  type VerificationSession,
} from '../contract/user.js';
import { poll, type WaitOptions } from '../flows/polling.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/** The provider typically takes 5 to 30 minutes. */
const UNTIL_VERIFIED = { timeout: 45 * 60_000, interval: 5_000, maxInterval: 30_000 };

/** The user who is logged in. */
export class UserResource extends Resource {
  /**
   * A single-use URL of the identity verification provider, typically valid for 24 hours. Send the
   * user there; never log or store it. A repeat would make another session, which may be billed,
   * so it is made only when the service says that it is unavailable.
   *
   * Endpoint: `GET /v1/user/verification`
   *
   * @throws PermissionError and others, see `ApiError`
   * @example
   * ```ts
   * const { sessionUrl } = await user.user.startVerification();
   * ```
   */
  startVerification(options?: RequestOptions): PlatformPromise<VerificationSession> {
    return this.send(startVerification, {}, options);
  }

  /**
   * The user's profile. Personal data: it prints redacted.
   *
   * Endpoint: `GET /v1/user` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * const { verificationState } = await user.user.get();
   * ```
   */
  get(options?: RequestOptions): PlatformPromise<User>;
  get<Output>(options: RequestOptions & SchemaOption<Output>): PlatformPromise<Output>;
  get(options?: RequestOptions) {
    return this.send(getUser, {}, options);
  }

  /**
   * Waits until the user's identity is `VERIFIED`, or gives the user as soon as the provider said
   * `REJECTED`: look at `verificationState`. Any other state keeps waiting. By default for 45
   * minutes. Pass `isDone` where your service says it otherwise.
   *
   * Endpoint: `GET /v1/user` (preview)
   *
   * @experimental
   * @throws PollingTimeoutError with the last user seen
   * @example
   * ```ts
   * const { verificationState } = await user.user.waitUntilVerified({ interval: 10_000 });
   * ```
   */
  waitUntilVerified(
    options: WaitOptions<User> & { isDone?: ((user: User) => boolean) | undefined } = {},
  ): Promise<User> {
    const { isDone = isDecided, ...wait } = options;
    const look = (signal: AbortSignal) => this.get({ signal });
    const task = { operation: getUser.id, look, isDone, defaults: UNTIL_VERIFIED };
    return poll(task, wait, this.clock);
  }
}

function isDecided({ verificationState }: User): boolean {
  return verificationState === 'VERIFIED' || verificationState === 'REJECTED';
}
