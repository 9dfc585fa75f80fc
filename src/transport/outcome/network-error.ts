/** Codes of failed certificate checks: raised when the TLS handshake ends, before a request leaves. */
const CERTIFICATE =
  /^(?:CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_[A-Z_]+|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)$/;

const TLS = /^(?:ERR_SSL_[A-Z0-9_]+|ERR_TLS_[A-Z0-9_]+|EPROTO)$/;

const CONNECTING = new Set(['connect', 'getaddrinfo']);
const DEEPEST = 5;

/** Reads a property of a thrown value, which may be anything: a getter that throws counts as absent. */
export function readProperty(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null)
    return undefined;
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** `instanceof` for a thrown value, which may be a proxy that throws when it is tested. */
export function isInstance<T>(
  value: unknown,
  type: abstract new (...args: never[]) => T,
): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

function causesOf(failure: unknown): readonly unknown[] {
  const errors = readProperty(failure, 'errors');
  const cause = readProperty(failure, 'cause');
  return [...(cause === undefined ? [] : [cause]), ...(Array.isArray(errors) ? errors : [])];
}

/** The failure and its causes, from the outermost to the innermost. */
function failureAndCauses(failure: unknown, depth = 0): unknown[] {
  if (typeof failure !== 'object' || failure === null || depth > DEEPEST) return [];
  return [failure, ...causesOf(failure).flatMap((one) => failureAndCauses(one, depth + 1))];
}

function codeOf(failure: unknown): string | undefined {
  const code = readProperty(failure, 'code');
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,59}$/.test(code) ? code : undefined;
}

/** The error code of a failed exchange: the first of the failure and its causes. */
export function failureCode(failure: unknown): string | undefined {
  return failureAndCauses(failure)
    .map(codeOf)
    .find((code) => code !== undefined);
}

/**
 * Whether the failure is one of TLS: a certificate, a handshake, a broken record. Another attempt cannot
 * change a certificate, or a port without TLS.
 */
export function isTlsFailure(failure: unknown): boolean {
  return failureAndCauses(failure)
    .map(codeOf)
    .some((code) => code !== undefined && (CERTIFICATE.test(code) || TLS.test(code)));
}

// The error that ends the chain is the one that the system reported; an AggregateError holds one for
// each address that was tried.
function rootCauses(failure: unknown, depth = 0): unknown[] {
  const deeper = depth > DEEPEST ? [] : causesOf(failure);
  return deeper.length === 0 ? [failure] : deeper.flatMap((one) => rootCauses(one, depth + 1));
}

function isConnectFailure(failure: unknown): boolean {
  const syscall = readProperty(failure, 'syscall');
  const code = codeOf(failure);
  if (typeof syscall === 'string') return CONNECTING.has(syscall);
  // undici's own connect timeout has no syscall. It occurs only while undici connects.
  return code === 'UND_ERR_CONNECT_TIMEOUT' || (code !== undefined && CERTIFICATE.test(code));
}

/**
 * Whether the error of a `fetch` proves that no connection was established. An error code alone does
 * not: EHOSTUNREACH, EPROTO and resets also occur on connections that have carried the request. Proof
 * is the system call that failed (`connect`, `getaddrinfo`) or a refused certificate.
 */
export function provesNoConnection(failure: unknown): boolean {
  return rootCauses(failure).every(isConnectFailure);
}
