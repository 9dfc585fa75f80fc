import type { Endpoint } from '../../contract/endpoint.js';
import { isCardPlatformError, REDACT, type Redactor } from '../../errors/index.js';
import { tryParse } from './json.js';
import { isSecretInError, type SecretValues, secretsUnder, textsIn } from './redact.js';

const DEEPEST_JSON = 3;
const BRACKETS = [
  ['{', '}'],
  ['[', ']'],
] as const;

/** JSON in a text, alone or after words: `Request failed: {"token":"…"}`. */
function embeddedJson(text: string): unknown {
  for (const [open, close] of BRACKETS) {
    const from = text.indexOf(open);
    const to = text.lastIndexOf(close);
    const value = from === -1 || to < from ? undefined : tryParse(text.slice(from, to + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The values in text that only looks like JSON, because it was cut off. */
function brokenPairs(text: string, isSecret: (name: string) => boolean): string[] {
  const pairs = text.matchAll(/"([\w-]{1,40})\\?"\s{0,9}:\s{0,9}\\?"([^"\\]*)/g);
  return [...pairs].flatMap(([, name = '', value = '']) => (isSecret(name) ? [value] : []));
}

/**
 * The values under secret names in an error body, including JSON in one of its texts.
 *
 * @param body - parsed JSON, or the text of a body that is not JSON
 */
export function secretsInside(
  body: unknown,
  isSecret: (name: string) => boolean,
  depth = 0,
): string[] {
  if (depth > DEEPEST_JSON) return [];
  const inTexts = textsIn(body).flatMap((text) => {
    if (!text.includes('"')) return [];
    const inner = embeddedJson(text);
    return inner === undefined
      ? brokenPairs(text, isSecret)
      : secretsInside(inner, isSecret, depth + 1);
  });
  return [...secretsUnder(body, isSecret), ...inTexts];
}

const DEEPEST = 5;
const MOST_ERRORS = 10;
const LONGEST_TEXT = 1_000;
const LONGEST_STACK = 10_000;
/** A text of this package may contain a shorter secret by chance: a token `token` of a test. */
const SHORTEST_IN_OWN_WORDS = 8;

function read(value: object, name: string): unknown {
  try {
    return Reflect.get(value, name);
  } catch {
    // A getter that throws, or a revoked proxy.
    return undefined;
  }
}

const matching = (value: unknown, pattern: RegExp) =>
  (typeof value === 'string' && pattern.test(value)) || Number.isInteger(value) ? value : undefined;

/**
 * A copy of a thrown value of somebody else that is safe to keep: name, message, stack, code, and the
 * same of its causes and of the errors that it joins. Any other field may quote the request.
 */
function copyOf(failure: unknown, secrets: SecretValues, depth: number): unknown {
  if (typeof failure === 'string') return secrets.clean(failure, LONGEST_TEXT);
  if (typeof failure !== 'object' || failure === null) return undefined;
  if (isCardPlatformError(failure)) return failure;
  const message = read(failure, 'message');
  const copy = new Error(typeof message === 'string' ? secrets.clean(message, LONGEST_TEXT) : '');
  const name = matching(read(failure, 'name'), /^[A-Za-z]{1,40}$/);
  const stack = read(failure, 'stack');
  const own = (field: string, value: unknown, enumerable: boolean) => {
    if (value === undefined) return;
    Object.defineProperty(copy, field, { value, enumerable, writable: true, configurable: true });
  };
  own('name', secrets.redact(String(name ?? 'Error')), false);
  own(
    'stack',
    typeof stack === 'string' ? secrets.redact(stack).slice(0, LONGEST_STACK) : '',
    false,
  );
  const code = matching(read(failure, 'code'), /^[A-Z][A-Z0-9_]{1,59}$/);
  own('code', typeof code === 'string' ? secrets.redact(code) : code, true);
  own('syscall', matching(read(failure, 'syscall'), /^[a-z]{1,20}$/), true);
  if (depth >= DEEPEST) return copy;
  own('cause', copyOf(read(failure, 'cause'), secrets, depth + 1), false);
  const errors = read(failure, 'errors');
  if (!Array.isArray(errors)) return copy;
  const joined = errors.slice(0, MOST_ERRORS).map((one) => copyOf(one, secrets, depth + 1));
  own('errors', joined, false);
  return copy;
}

function redactorOf(endpoint: Endpoint, known: SecretValues): Redactor {
  const isSecret = isSecretInError(endpoint);
  const ownWords = known.atLeast(SHORTEST_IN_OWN_WORDS);
  const redactor: Redactor = {
    text: (text) => ownWords.redact(text),
    values: (value) => known.redactJson(value),
    json: (value) => known.with(secretsInside(value, isSecret)).redactJson(value, isSecret),
    cause: (cause) => {
      redactWith(cause, redactor);
      return copyOf(cause, known, 0);
    },
  };
  return redactor;
}

function redactWith(error: unknown, redactor: Redactor): void {
  // A frozen error was frozen after its own call had redacted it.
  if (!isCardPlatformError(error) || Object.isSealed(error)) return;
  // An older copy of this package may have made it.
  error[REDACT]?.(redactor);
}

/**
 * Redacts everything that an error contains: its fields and private data, its message and stack,
 * its causes. Only this function does. Values of others, such as the reason of an abort, stay as
 * they are.
 *
 * @param known - the secrets of the call and of its client
 */
export function redactError<T>(error: T, endpoint: Endpoint, known: SecretValues): T {
  if (isCardPlatformError(error)) redactWith(error, redactorOf(endpoint, known));
  return error;
}

/** How to redact the results of reads, because the error of a wait contains the last one. */
const RESULTS = new WeakMap<object, () => Redactor>();

/** Remembers how to redact a result that may get into an error of a flow. */
export function rememberResult(
  result: unknown,
  endpoint: Endpoint,
  known: () => SecretValues,
): void {
  if (typeof result !== 'object' || result === null) return;
  RESULTS.set(result, () => redactorOf(endpoint, known()));
}

/** Redacts an error of a flow that contains a result, with the secrets of the call that read it. */
export function redactErrorOf<T>(error: T, result: unknown): T {
  const redactor = RESULTS.get(Object(result));
  if (redactor !== undefined) redactWith(error, redactor());
  return error;
}
