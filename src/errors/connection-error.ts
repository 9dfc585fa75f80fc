import { CardPlatformError, type ErrorFacts } from './base.js';
import type { ConnectionErrorCode } from './error-codes.js';

/** The facts of a network failure. */
export type NetworkFailure = Omit<ErrorFacts, 'code' | 'message'> & {
  code?: ConnectionErrorCode | undefined;
  message: string;
};

/**
 * The connection failed, or the call was ended by an error of this package whose outcome does not fit
 * it, and which is the cause: that of another call, as the reason of an abort or from your token
 * provider or middleware. `outcome` is `not_sent` only where it is proven that no connection was
 * established, in any attempt, and `rejected` where the service had refused an earlier attempt and the
 * others sent nothing. A connection that failed later may have carried the request, so it is `unknown`.
 */
export class ConnectionError extends CardPlatformError {
  override readonly name: string = 'ConnectionError';
  declare readonly code: ConnectionErrorCode;

  constructor(failure: NetworkFailure, cause?: unknown) {
    super({ ...failure, code: failure.code ?? 'connection_failed' }, cause);
  }
}

/** The TLS handshake failed (certificate, host name, or no TLS on that port). The attempt sent nothing. */
export class TlsError extends ConnectionError {
  override readonly name = 'TlsError';

  constructor(failure: NetworkFailure, cause?: unknown) {
    super({ ...failure, code: 'tls_failed' }, cause);
  }
}
