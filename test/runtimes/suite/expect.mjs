// Custom assertions, because no test runner loads in all of Node, Bun, Deno, workerd and browsers.

const format = (value) =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));

/** Throws unless both have the same JSON. */
export function expectSame(actual, expected, what = 'value') {
  if (format(actual) !== format(expected)) {
    throw new Error(`${what} is ${format(actual)}, not ${format(expected)}`);
  }
}

/** Returns the error of a promise or a function. Throws when it does not fail. */
export async function failureOf(subject) {
  let value;
  try {
    value = await (typeof subject === 'function' ? subject() : subject);
  } catch (error) {
    return error;
  }
  throw new Error(`expected an error, got ${format(value)}`);
}

/** Throws unless the error is an instance of the class and has these properties. */
export function expectError(error, Class, properties) {
  if (!(error instanceof Class)) throw new Error(`not a ${Class.name} but ${String(error)}`);
  for (const [name, value] of Object.entries(properties)) expectSame(error[name], value, name);
}

/**
 * Throws unless a call that a signal ended rejected with the signal's reason. If signals have no
 * reason in this runtime, the error must be named `AbortError`.
 */
export function expectAborted(error, reason, { hasAbortReason }) {
  if (hasAbortReason ? error === reason : error?.name === 'AbortError') return;
  throw new Error(`the call rejected with ${String(error)}`);
}
