// Assertions of our own: no test runner loads in all of Node, Bun, Deno, workerd and a browser.

const shown = (value) =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));

/** Throws unless both have the same JSON. */
export function same(actual, expected, what = 'value') {
  if (shown(actual) !== shown(expected)) {
    throw new Error(`${what} is ${shown(actual)}, not ${shown(expected)}`);
  }
}

/** What a promise, or a function, ends with when it has to fail. */
export async function failureOf(subject) {
  let value;
  try {
    value = await (typeof subject === 'function' ? subject() : subject);
  } catch (error) {
    return error;
  }
  throw new Error(`nothing failed; it gave ${shown(value)}`);
}

/** Throws unless the error is of the class and has the facts. */
export function isError(error, Class, facts) {
  if (!(error instanceof Class)) throw new Error(`not a ${Class.name} but ${String(error)}`);
  for (const [name, value] of Object.entries(facts)) same(error[name], value, name);
}
