// VitePress sends the functions of its search to the page as text, so none uses anything from outside.

/**
 * Ranks what people look for: guides, then tests and endpoints, then errors, then everything else.
 */
export function rank(id: string): number {
  if (/\/(api|examples)\/|CHANGELOG|CONTRIBUTING|AGENTS|SECURITY/.test(id)) return 0.1;
  if (/\/docs\/evidence\/|\/docs\/README/.test(id)) return 0.3;
  if (/\/error-catalogue/.test(id)) return 0.3;
  if (/\/docs\/(?:reference|test)\/|\/(?:endings|evm-options|verdicts)\.html/.test(id)) return 0.8;
  return 2;
}

/**
 * Returns the words of a query, and last the query as one word, which is the mark of an error with
 * this message: see `markOf`.
 */
export function wordsOf(text: string): string[] {
  const ignored =
    /^(?:a|already|an|and|are|at|be|by|can|do|does|for|has|have|how|i|in|is|it|my|of|on|or|the|to|was|what|when|with)$/;
  const words = text.split(/[\s\p{P}]+/u).filter((word) => word !== '');
  const kept = words.filter((word) => !ignored.test(word.toLowerCase()));
  if (kept.length < 2) return kept.length === 0 ? words : kept;
  return [...kept, `msg0${kept.join('').toLowerCase()}`];
}

/** Lets the mark of a message count more than everything else. */
export function boostOf(term: string): number {
  return term.startsWith('msg0') ? 40 : 1;
}

/** Returns the word by which the search finds an error by its whole message. */
const markOf = (message: string) => wordsOf(message).at(-1) ?? '';

/** The messages of an error, as the catalogue shows them. */
const MESSAGES = /The service's message(?::| contains) ("[^\n]+")\./g;

/** Adds to the catalogue, as the search reads it, the marks of the messages. */
export function withMarks(source: string): string {
  return source.replace(MESSAGES, (line, messages: string) => {
    const marks = [...messages.matchAll(/"([^"]+)"/g)].map(([, message = '']) => markOf(message));
    return `${line} ${marks.join(' ')}`;
  });
}
