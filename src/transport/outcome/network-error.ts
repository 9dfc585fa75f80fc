/** A response body is longer than its limit. */
export class BodyTooLong {
  /** @param limit - bytes */
  constructor(readonly limit: number) {}
}

/** A response body is not UTF-8. */
export class BodyNotText {}

/** A `fetch` returned something that is not a `Response`; `what` completes "The fetch … returned". */
export class NotAResponse {
  constructor(readonly what: string) {}
}

/** A `fetch` followed a redirect by itself, so the response may not come from the service. */
export class FollowedRedirect {
  /** @param origin - of the target; `undefined` where it is not known */
  constructor(readonly origin: string | undefined) {}
}

/** The response of a `fetch` has no body that can be read. */
export class BodyMissing {
  /**
   * @param reader - the function that reads it whole, or its `stream`
   * @param isThere - whether the response has this reader, and it returned something else
   */
  constructor(
    readonly reader: 'text' | 'arrayBuffer' | 'stream' = 'text',
    readonly isThere = false,
  ) {}
}

/** Codes of failed certificate checks: raised when the TLS handshake ends, before a request leaves. */
const CERTIFICATE =
  /^(?:CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_[A-Z_]+|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)$/;

const TLS = /^(?:ERR_SSL_[A-Z0-9_]+|ERR_TLS_[A-Z0-9_]+|EPROTO)$/;

const CONNECTING = new Set(['connect', 'getaddrinfo']);
const DEEPEST = 5;

/** Reads a property of a thrown value, which may be anything: a getter that throws counts as absent. */
function readProperty(value: unknown, name: string): unknown {
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

const LONGEST = 300;

/** Redacts a text and cuts it to a length. */
export type Clean = (text: string, length: number) => string;

function textOf(value: unknown, name: string): string | undefined {
  const text = readProperty(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function nameOf(failure: unknown): string {
  const name = textOf(failure, 'name');
  return name !== undefined && /^[A-Za-z]{1,40}$/.test(name) ? name : 'Error';
}

/**
 * A copy of a failure that is safe to keep: name, code and system call. The original may quote or
 * contain the request.
 *
 * @param clean - keeps the message, redacted; without it the message is the code
 */
export function causeOf(failure: unknown, clean?: Clean): Error | undefined {
  if (typeof failure !== 'object' || failure === null) return undefined;
  const code = failureCode(failure);
  const original = clean && textOf(failure, 'message');
  const message =
    original === undefined
      ? (code ?? 'the runtime reported no reason')
      : clean?.(original, LONGEST);
  const cause = new Error(message);
  cause.name = nameOf(failure);
  if (code !== undefined) Object.assign(cause, { code });
  const syscall = textOf(failure, 'syscall');
  if (syscall !== undefined && /^[a-z]{1,20}$/.test(syscall)) Object.assign(cause, { syscall });
  return cause;
}

/** Describes a thrown value in a few words, for a message. */
export function describeThrown(failure: unknown, clean: Clean): string {
  if (typeof failure === 'string') return `the text "${clean(failure, LONGEST)}"`;
  if (typeof failure === 'function') return 'a function';
  if (typeof failure !== 'object' || failure === null) return String(failure);
  const message = textOf(failure, 'message');
  return message === undefined ? nameOf(failure) : `${nameOf(failure)}: ${clean(message, LONGEST)}`;
}
