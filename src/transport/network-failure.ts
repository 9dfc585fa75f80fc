const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const TLS =
  /^(?:ERR_SSL_|ERR_TLS_|CERT_|EPROTO$|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_|HOSTNAME_MISMATCH$)/;

const DEEPEST = 5;

type Failure = { code?: unknown; cause?: unknown; errors?: unknown };

/** The error codes in a failure, from the outermost cause to the innermost. */
export function failureCodes(failure: unknown, depth = 0): string[] {
  if (typeof failure !== 'object' || failure === null || depth > DEEPEST) return [];
  const { code, cause, errors } = failure as Failure;
  const inner = Array.isArray(errors) ? errors : [];
  return [
    ...(typeof code === 'string' ? [code] : []),
    ...[cause, ...inner].flatMap((one) => failureCodes(one, depth + 1)),
  ];
}

/** What a failed fetch was: `not-sent` and `tls` only where the runtime proves it by a code. */
export type FailureKind = 'not-sent' | 'tls' | 'unknown';

/** Judges a failed fetch by its codes. Without a code that proves more, it is `unknown`. */
export function judgeFailure(failure: unknown): { kind: FailureKind; code: string | undefined } {
  const codes = failureCodes(failure).filter((code) => code !== 'AggregateError');
  const tls = codes.find((code) => TLS.test(code));
  if (tls !== undefined) return { kind: 'tls', code: tls };
  const notSent = codes.length > 0 && codes.every((code) => NOT_SENT.has(code));
  return { kind: notSent ? 'not-sent' : 'unknown', code: codes[0] };
}
