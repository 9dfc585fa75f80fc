import { isCredential } from '../../contract/formats/credential.js';
import { TIME_LEFT_HEADER, USER_HEADER } from '../../contract/proxy-headers.js';
import { ConfigurationError } from '../../errors/index.js';

const FIELD_VALUE = /^[\x20-\x7e\t]{0,4096}$/;
const FIELD_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

/** Headers that a caller cannot set: credentials, cookies, routing and framing. */
const RESERVED = new Set([
  'authorization',
  'x-client-key',
  'x-client-id',
  'x-secret-key',
  'x-us-env',
  TIME_LEFT_HEADER,
  USER_HEADER,
  'proxy-authorization',
  'cookie',
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'keep-alive',
]);

/**
 * Checks a credential before it gets near a `Headers` object, whose own error would print it.
 *
 * @throws ConfigurationError that says which option is wrong, never its value
 */
export function requireCredential(value: unknown, option: string, operation?: string): string {
  if (isCredential(value)) return value;
  throw new ConfigurationError(
    option,
    `${option} must be 1 to 4096 visible ASCII characters without spaces, and not "null" or "undefined".`,
    operation,
  );
}

/**
 * Checks headers that a caller adds.
 *
 * @throws ConfigurationError that says which header is wrong, never its value
 */
export function requireExtraHeaders(
  headers: Readonly<Record<string, string | undefined>>,
  operation?: string,
): Record<string, string> {
  const checked: Record<string, string> = Object.create(null);
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined) continue;
    const lower = name.toLowerCase();
    const refuse = (rule: string) => {
      const shown = FIELD_NAME.test(name) ? name : 'a header';
      throw new ConfigurationError('headers', `headers: ${shown} ${rule}.`, operation);
    };
    if (!FIELD_NAME.test(name)) refuse('has a name that HTTP does not allow');
    if (RESERVED.has(lower)) refuse('cannot be set by a caller');
    if (typeof value !== 'string' || !FIELD_VALUE.test(value)) {
      refuse('must be a string of at most 4096 printable ASCII characters');
    }
    checked[lower] = value;
  }
  return checked;
}
