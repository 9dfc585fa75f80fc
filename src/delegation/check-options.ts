import { throwIfAborted } from '../contract/formats/abort-reason.js';
import { isObject } from '../contract/formats/is-object.js';
import { invalid } from './invalid.js';
import { isTime, requireDuration } from './numbers.js';
import type { DelegationOptions } from './options.js';
import { requireParts } from './require-parts.js';
import { readState, type SavedStateRules } from './saved-state.js';

/**
 * Checks the options that all delegations share, before the wallet or the network is used. Returns
 * them with a copy of the saved state that no other code can change.
 *
 * @throws RequestValidationError that names the option
 * @throws StateMismatchError for a saved state that this flow did not write
 */
export function checkOptions<Options extends DelegationOptions>(
  options: Options,
  parts: readonly string[],
  rules: SavedStateRules,
): Options {
  throwIfAborted(options?.signal);
  requireParts(options, parts);
  const { resume, readTimeout, promptTimeout, faucetTimeout, runtime } = options;
  for (const [name, value] of Object.entries({ readTimeout, promptTimeout, faucetTimeout })) {
    if (value !== undefined) requireDuration(name, value);
  }
  checkRuntime(runtime);
  return resume === undefined ? options : { ...options, resume: readState(resume, rules) };
}

function checkRuntime(runtime: DelegationOptions['runtime']): void {
  if (runtime === undefined) return;
  if (!isObject(runtime)) invalid('runtime', 'must be an object');
  const { now, sleep } = runtime;
  if (sleep !== undefined && typeof sleep !== 'function') {
    invalid('runtime.sleep', 'must be a function');
  }
  if (now === undefined) return;
  if (typeof now !== 'function' || !isTime(now())) {
    invalid('runtime.now', 'must return milliseconds since 1970');
  }
}
