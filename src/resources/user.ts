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
   * Creates a single-use URL of the identity verification provider, typically valid for 24 hours.
   * Send the user there; never log or store it. A retry may create another session, which may be
   * billed, so the call is retried only when nothing was sent, or after a 429, 502, 503 or 504.
   *
   * Endpoint: `GET /v1/user/verification`
   *
   * @throws ApiError, for example PermissionError when the credentials do not permit the call
   * @example
   * ```ts
   * const { sessionUrl } = await userClient.user.startVerification();
   * ```
   */
  startVerification(options?: RequestOptions): PlatformPromise<VerificationSession> {
    return this.send(startVerification, {}, options);
  }

  /**
   * Returns the user's profile. Name, date of birth, e-mail address, phone number, postal address and
   * SSN print redacted. The countries and `usState` do not.
   *
   * Endpoint: `GET /v1/user` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * const { verificationState } = await userClient.user.get();
   * ```
   */
  get(options?: RequestOptions): PlatformPromise<User>;
  get<Output>(options: RequestOptions & SchemaOption<Output>): PlatformPromise<Output>;
  get(options?: RequestOptions) {
    return this.send(getUser, {}, options);
  }

  /**
   * Waits until the user's identity is `VERIFIED` or `REJECTED`, by default for 45 minutes, and
   * returns the user: check `verificationState`. The wait continues on every other state.
   *
   * A user who was rejected before stays `REJECTED` until the new session is submitted, which would
   * end the wait at once: pass the earlier state as `previousState`, for example that of the login.
   * After `REJECTED`, the wait then continues until it has read another state. If the provider
   * rejects the user again between two reads, it runs out of time.
   *
   * Pass `isDone` if your service uses other states; `previousState` is then ignored.
   *
   * Endpoint: `GET /v1/user` (preview)
   *
   * @experimental
   * @throws ConfigurationError when `timeout`, `interval` or `maxInterval` is not above zero and below
   *   2^31
   * @throws PollingTimeoutError with the last user seen
   * @throws the errors of {@link get}
   * @example
   * ```ts
   * const { verificationState: previousState } = await userClient.user.get();
   * const { sessionUrl } = await userClient.user.startVerification();
   * window.open(sessionUrl);
   * const { verificationState } = await userClient.user.waitUntilVerified({ previousState });
   * ```
   */
  waitUntilVerified(
    options: WaitOptions<User> & {
      /** The state before the session was started. */
      previousState?: User['verificationState'];
      isDone?: ((user: User) => boolean) | undefined;
    } = {},
  ): Promise<User> {
    const { previousState, isDone = isDecidedAfter(previousState), ...wait } = { ...options };
    const read = (signal: AbortSignal) => this.get({ signal });
    const task = { operation: getUser.id, read, isDone, defaults: UNTIL_VERIFIED };
    return poll(task, options && wait, this.clock);
  }
}

/** Whether a state is the result of the session that was started in another state. */
function isDecidedAfter(previousState: User['verificationState']) {
  let isOld = previousState === 'REJECTED';
  return ({ verificationState: state }: User) => {
    // A state that is not shown is no other state.
    if (state && state !== 'REJECTED') isOld = false;
    return !isOld && (state === 'VERIFIED' || state === 'REJECTED');
  };
}
