import type { KeyValueStore } from '../stores/key-value-store.js';
import type { Clock } from '../transport/attempts/clock.js';
import type { AccessTokenProvider } from '../transport/credentials/credentials.js';
import type { Region } from '../transport/request/wire-request.js';

/**
 * Why a session has ended.
 *
 * - `expired`: it expired, and nothing could renew it.
 * - `rejected`: the service refused its token and nothing could renew it, refused the renewed token
 *   too, or refused to renew it. Also when `renew` returned `undefined` before the token expired.
 * - `replaced`: somebody has logged in since, here or in another tab.
 * - `signed_out`: the user logged out.
 * - `renewal_unknown`: a renewal took its refresh token to send it, and no response showed whether it is
 *   used up. It is not sent again, so the session ended when its access token could not be used any more.
 */
export type SessionEndReason =
  | 'expired'
  | 'rejected'
  | 'replaced'
  | 'signed_out'
  | 'renewal_unknown';

/** A session of one user in one region. Contains no token that could be printed or stored. */
export type Session = {
  /** A random id. Each login has its own, and a renewal keeps it. */
  readonly id: string;
  /** The user; `undefined` if neither the login nor you provided one. */
  readonly userId: string | undefined;
  /** The region that the user belongs to. */
  readonly region: Region;
  /**
   * Provides the token of this session to a client: `client.withAccessToken(session.accessToken)`.
   * It never provides the token of another session, nor one for a call to another region.
   *
   * @throws SessionError; ConfigurationError when `renew` returned tokens that are not valid, or too
   *   long for `maxRecordBytes`
   */
  readonly accessToken: AccessTokenProvider;
};

/**
 * The state of a session for an application to show. It stays the same object until something
 * changes.
 */
export type SessionSnapshot =
  | {
      /** The store has not been read yet. */
      readonly status: 'loading';
      readonly session: undefined;
    }
  | {
      readonly status: 'signed_in';
      readonly session: Session;
      /** When the current token expires, in milliseconds since 1970. */
      readonly expiresAt: number;
    }
  | {
      readonly status: 'signed_out';
      readonly session: undefined;
      /** Why the last session has ended; `undefined` if there was none. */
      readonly reason: SessionEndReason | undefined;
    };

/** The tokens of a login. The result of `auth.login` fits. */
export type SessionTokens = {
  /** The bearer token. */
  accessToken: string;
  /** The user. A renewal for any other user is refused. */
  userId?: string | null | undefined;
  /** Absent once the user has finished onboarding. */
  phase?: null | undefined;
  /**
   * How long the access token is valid, in milliseconds. Default 6 hours, as after a login
   * (`ACCESS_TOKEN_LIFETIME_MS`).
   */
  expiresIn?: number | undefined;
  /**
   * A token that `renew` needs, such as an OAuth refresh token. It is stored together with the
   * access token. A renewal without one keeps the old one, unless `takeRefreshToken` has returned
   * it.
   */
  refreshToken?: string | undefined;
  /**
   * How long the refresh token is valid, in milliseconds. Default: unknown, so it is used for as
   * long as the service accepts it.
   */
  refreshExpiresIn?: number | undefined;
  /**
   * A word of your choice, such as how the user logged in: 1 to 40 letters, digits, `_`, `.` and `-`.
   * It is stored with the session and passed to `renew` and to the `revoke` of `signOut`. A renewal
   * without one keeps the old one.
   */
  kind?: string | undefined;
};

/** The region and the user of a login. */
export type SignInOptions = {
  /** The region of the client that logged the user in. The login itself does not return it. */
  region: Region;
  /** The user, if the login did not return one. */
  userId?: string | undefined;
};

/** The session to renew. Its tokens are not enumerable, so nothing prints them. */
export type SessionToRenew = {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly userId: string | undefined;
  readonly region: Region;
  /** The `kind` of the tokens; `undefined` if they had none. */
  readonly kind: string | undefined;
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAt: number;
  /**
   * Returns the refresh token once, for a service that accepts each refresh token once. The token
   * is marked as taken in the store before this promise resolves, so neither another tab nor the
   * app after a restart receives it again. It can be used again only after an error of `renew` for
   * which `keepsRefreshToken` returns true.
   *
   * @returns `undefined` if there is no refresh token, or it has expired
   * @throws SessionError when the token has been taken before: with code `session_ended`, which
   *   ends the session if `renew` rejects with it, or `session_not_renewed` while the other renewal
   *   may still be running; with code `session_not_renewed` when the session has ended or changed
   *   meanwhile; with code `session_store_failed` when the token could not be marked
   */
  readonly takeRefreshToken: () => Promise<string | undefined>;
  /** Aborts when `renewTimeout` is over. */
  readonly signal: AbortSignal;
};

/** The tokens of a session that has been signed out locally. Not enumerable, so nothing prints them. */
export type SignedOutTokens = Pick<
  SessionToRenew,
  'accessToken' | 'refreshToken' | 'region' | 'kind'
>;

/** The options of {@link createSessions}. */
export type SessionsOptions = {
  /** Keeps the session between runs of the application. */
  store: KeyValueStore;
  /**
   * The key in the store: 1 to 200 characters of `a-z`, `0-9`, `.`, `-` and `_`. Default
   * `card-platform.session`.
   */
  key?: string | undefined;
  /**
   * Gets new tokens for a session: with its refresh token, or by another login. Return `undefined`
   * when the user must log in. After an error, the session continues, unless `endsSession` returns true.
   *
   * Runs when the token is about to expire or has expired, and after the service has refused it.
   * One renewal runs at a time, also across tabs if the browser has locks.
   */
  renew?:
    | ((
        session: SessionToRenew,
      ) => SessionTokens | undefined | PromiseLike<SessionTokens | undefined>)
    | undefined;
  /**
   * Whether an error of `renew` means that the user must log in. Default: the service refused the
   * login or the refresh token with status 400, 401 or 403, or asks for a one-time password. An HTML page,
   * or an empty 400 or 403, does not count.
   */
  endsSession?: ((error: unknown) => boolean) | undefined;
  /**
   * Whether a refresh token that `takeRefreshToken` returned may be sent again after an error of
   * `renew`. Default: the request was not sent, the service refused it, or the response was a 500 or 503 with
   * a JSON object. After a lost response and any other 5xx the token may be used up: a gateway that has lost
   * the response of the service sends a text, a page or nothing, or a status such as 502, 504 or 524.
   */
  keepsRefreshToken?: ((error: unknown) => boolean) | undefined;
  /** How long one renewal may take, in milliseconds. Then another one may start. Default 30,000. */
  renewTimeout?: number | undefined;
  /**
   * How long before its expiry a token is renewed, in milliseconds. Default 5 minutes, and never
   * more than half of the token's lifetime.
   */
  renewBefore?: number | undefined;
  /** How long one operation of the store may take, in milliseconds. Default 30,000. */
  storeTimeout?: number | undefined;
  /**
   * The longest text that the store accepts, in bytes. Default 2,047, which fits into a phone's
   * keychain. Raise it if your tokens are longer and your store allows it.
   */
  maxRecordBytes?: number | undefined;
  /** Locks between tabs. Default `navigator.locks` in a browser; `false` uses none. */
  locks?: SessionLocks | false | undefined;
  /** The clock, for tests. Default: the clock of the machine. */
  clock?: Clock | undefined;
};

/** The part of `navigator.locks` that is used. */
export type SessionLocks = {
  /** Runs the work while no other tab has the lock of this name. */
  request(name: string, work: () => Promise<void>): Promise<unknown>;
};
