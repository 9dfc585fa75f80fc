import { RETRY_CLASSES } from '../../src/contract/retry-policy.js';
import type { DeclaredEndpoint } from './declared-endpoints.js';

/** Returns what a declaration lacks or contradicts; `undefined` if nothing. */
function problemOf({ endpoint }: DeclaredEndpoint): string | undefined {
  const {
    businessErrors,
    retry,
    retryWhen,
    retryResolutions = [],
    reconcile,
    isRecorded,
    certainty,
  } = endpoint;
  if (endpoint.isOutsideContract === true && certainty === undefined) return 'it has no certainty';
  for (const { code, status, messages } of businessErrors) {
    if (!/^[a-z]+(?:_[a-z]+)+$/.test(code)) return `the code ${code} is not in snake case`;
    if (!(status >= 400 && status <= 599)) return `the refusal ${code} has no error status`;
    const isPlain = messages.every((text) => text !== '' && text === text.toLowerCase().trim());
    if (messages.length === 0 || !isPlain)
      return `the refusal ${code} has no message in lower case`;
  }
  // A code that is none of its refusals has no status.
  if (retryResolutions.some(({ status }) => !(status >= 400 && status <= 599))) {
    return 'resultWhenRetried has a key that is neither an error status nor a code of businessErrors';
  }
  for (const policy of [retry, ...(retryWhen ? [retryWhen.retry] : [])]) {
    if (!RETRY_CLASSES.includes(policy.class)) return `${policy.class} is not a retry class`;
    const isDeclared = reconcile !== undefined || isRecorded === false || certainty !== undefined;
    if (policy.class === 'never' && !isDeclared) {
      return 'it is of class never, but declares neither reconcile nor isRecorded: false';
    }
  }
  return undefined;
}

/**
 * Checks what types cannot hold, because the generator runs before anything is compiled.
 *
 * @throws Error that names the endpoint
 */
export function requireKnownFacts(declared: readonly DeclaredEndpoint[]): void {
  const ids = new Set<string>();
  for (const one of declared) {
    const { id } = one.endpoint;
    const problem = ids.has(id) ? 'its id exists twice' : problemOf(one);
    if (problem !== undefined) throw new Error(`${id}: ${problem}`);
    ids.add(id);
  }
}
