import type { DelegationState } from './state.js';

const stateOfError = new WeakMap<object, DelegationState>();

/** Remembers how far the flow had come when it failed. */
export function attachState(error: unknown, state: DelegationState): void {
  if (typeof error === 'object' && error !== null) stateOfError.set(error, state);
}

/**
 * How far a delegation had come when it failed with this error, to be handed to `resume`.
 * `undefined` for errors that did not come out of a delegation flow.
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
