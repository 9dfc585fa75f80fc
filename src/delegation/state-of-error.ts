import type { DelegationState } from './state.js';

const stateOfError = new WeakMap<object, DelegationState>();

/** Attaches the state of the flow to the error that ended it. */
export function attachState(error: unknown, state: DelegationState): void {
  if (typeof error === 'object' && error !== null) stateOfError.set(error, state);
}

/**
 * Returns the state of the delegation that failed with this error, to pass as `resume`. `undefined`
 * for errors that did not come from a delegation.
 *
 * @example
 * ```ts
 * import { delegationStateOf } from 'card-platform-sdk/evm';
 *
 * function save(error: unknown): void {
 *   const state = delegationStateOf(error);
 *   if (state) sessionStorage.setItem('delegation', JSON.stringify(state));
 * }
 * ```
 */
export function delegationStateOf(error: unknown): DelegationState | undefined {
  return typeof error === 'object' && error !== null ? stateOfError.get(error) : undefined;
}
