import { CardPlatformError, isCardPlatformError, type SessionErrorCode } from '../errors/index.js';
import { StoreFault } from '../stores/key-value-store.js';
import { isInstance } from '../transport/outcome/network-error.js';
import type { SessionEndReason } from './types.js';

const ENDED: Readonly<Record<SessionEndReason, string>> = {
  expired: 'the session has expired',
  rejected: 'the access token was refused or could not be renewed',
  replaced: 'somebody has logged in since, so this session has ended',
  signed_out: 'the user has signed out',
  renewal_unknown: 'the result of a renewal is not known, so the session has ended',
};

const MESSAGES: Readonly<Record<Exclude<SessionErrorCode, 'session_ended'>, string>> = {
  session_not_renewed:
    'the access token could not be renewed, and the call had no effect. The user is still logged in: try again later.',
  session_store_failed:
    'the store of the session failed. A call that rejects with this error had no effect. A change that the store did not confirm may be stored all the same: sessions.load() shows it. Check the store, then try again.',
  session_mismatch:
    "the token belongs to another user or region, and was not used. Use a token of the session's user, and a client for its region.",
};

/**
 * A session could not provide its token. The error contains no token. If a call throws it, the
 * `outcome` is `not_sent`: the call had no effect.
 */
export class SessionError extends CardPlatformError {
  override readonly name = 'SessionError';
  declare readonly code: SessionErrorCode;
  /** Why the session has ended; only with code `session_ended`. */
  readonly reason: SessionEndReason | undefined;

  constructor(
    code: SessionErrorCode,
    { reason, cause }: { reason?: SessionEndReason; cause?: unknown } = {},
  ) {
    const isRetryable = code === 'session_not_renewed' || code === 'session_store_failed';
    const message =
      code === 'session_ended'
        ? `${ENDED[reason ?? 'expired']}, and the call had no effect. Ask the user to log in.`
        : MESSAGES[code];
    const fault = isInstance(cause, StoreFault) ? ` In detail: ${cause.message}.` : '';
    super(
      { code, message: message + fault, outcome: 'not_sent', isRetryable },
      cause === undefined ? undefined : withoutText(cause),
    );
    this.reason = reason;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), ...(this.reason !== undefined && { reason: this.reason }) };
  }
}

/** The message of a store or a login may contain the token, so a foreign cause keeps only its name. */
function withoutText(cause: unknown): unknown {
  if (isCardPlatformError(cause)) return cause;
  const { name }: { name?: unknown } = Object(cause);
  const rebuilt = new Error('');
  rebuilt.name = typeof name === 'string' && /^\w{1,60}$/.test(name) ? name : 'Error';
  return rebuilt;
}

/**
 * Whether an error comes from a session and, if you pass a code, has that code.
 *
 * @example
 * ```ts
 * import { isSessionError } from 'card-platform-sdk/sessions';
 *
 * function mustLogIn(error: unknown): boolean {
 *   return isSessionError(error, 'session_ended');
 * }
 * ```
 */
export function isSessionError(error: unknown, code?: SessionErrorCode): error is SessionError {
  if (!isCardPlatformError(error) || error.name !== 'SessionError') return false;
  return code === undefined || error.code === code;
}
