import { throwIfAborted } from '../contract/formats/abort-reason.js';
import { isObject } from '../contract/formats/is-object.js';
import { describeUnknownOption } from '../contract/formats/option-names.js';
import { invalid, isTime, requireDuration } from './check-values.js';
import type { DelegationOptions } from './options.js';
import { readState, type SavedStateRules } from './saved-state.js';

/**
 * Checks that the objects a delegation works with are there, for callers without types.
 *
 * @throws RequestValidationError that names the missing one
 */
export function requireParts(options: unknown, names: readonly string[]): void {
  const { client, ...parts } = hasFields(options)
    ? options
    : invalid('options', 'must be an object');
  if (!hasFields(client) || !hasFields(client['delegation'])) {
    invalid('client', 'has no delegation');
  }
  for (const name of names) {
    if (!hasFields(parts[name])) invalid(name, 'must be an object');
  }
}

/** The name of every option. The type makes sure that none is missing. */
export type OptionNames<Options> = { readonly [Name in keyof Options]-?: true };

/** The options that all chains have. */
export const COMMON_OPTIONS: OptionNames<DelegationOptions> = {
  client: true,
  faucet: true,
  checkFunds: true,
  faucetTimeout: true,
  acceptUnknownLimit: true,
  onProgress: true,
  signal: true,
  resume: true,
  approveAgain: true,
  region: true,
  runtime: true,
  readTimeout: true,
  promptTimeout: true,
};

/**
 * Refuses an option that does not exist: a misspelled `wireAmount` would change the limit a millionfold.
 *
 * @throws RequestValidationError that names it
 */
export function refuseUnknownOptions<Options extends object>(
  options: Options,
  known: OptionNames<Options>,
): void {
  const names = Object.keys(known);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const { shown, message } = describeUnknownOption(unknown, names);
  // The error shows the name before its message.
  invalid(shown, message.slice(shown.length + 1));
}

/** A proxy for an object in a worker can be a function. */
function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) || typeof value === 'function';
}

/**
 * Checks the options that all delegations share, before the wallet or the network is used. Returns
 * them with a copy of the saved state that no other code can change.
 *
 * @throws RequestValidationError that says which option is wrong
 * @throws StateMismatchError for a saved state that this flow did not write
 */
export function checkOptions<Options extends DelegationOptions>(
  options: Options,
  parts: readonly string[],
  rules: SavedStateRules,
): Options {
  throwIfAborted(options?.signal);
  requireParts(options, parts);
  const { resume, readTimeout, promptTimeout, faucetTimeout, faucet, checkFunds, runtime } =
    options;
  for (const [name, value] of Object.entries({ faucet, checkFunds })) {
    if (value !== undefined && typeof value !== 'boolean') invalid(name, 'must be true or false');
  }
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
