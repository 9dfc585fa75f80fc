import { isCardPlatformError } from '../errors/index.js';
import { changedOptions } from './changed-limit.js';
import type { DelegationDriver } from './driver.js';
import { StateMismatchError } from './flow-errors.js';
import { fieldPath, refuseState } from './own-fields.js';
import { readState } from './saved-state.js';
import { type DelegationState, updateState } from './state.js';

/**
 * Returns a saved state if its form is valid and it belongs to this delegation.
 *
 * @throws StateMismatchError naming what breaks a rule, or every option that differs
 */
export function openState(saved: unknown, driver: DelegationDriver): DelegationState {
  const state = readState(saved, driver.savedState);
  const names = new Set([...Object.keys(driver.request), ...Object.keys(state.request)]);
  const free = changedOptions(state, driver.limit);
  const different = [...names].filter(
    (name) => !free.includes(name) && state.request[name] !== driver.request[name],
  );
  if (different.length > 0) {
    throw new StateMismatchError(different.map((name) => nameOf(name, driver)));
  }
  if (state.token !== undefined) requireNonce(state.token, driver);
  return free.length === 0 ? state : updateState(state, { request: { ...driver.request } });
}

/** A name that only the saved state has is input, so `fieldPath` decides whether it is shown. */
function nameOf(name: string, { request }: DelegationDriver): string {
  return Object.hasOwn(request, name) ? name : fieldPath('request', name);
}

function requireNonce(token: NonNullable<DelegationState['token']>, driver: DelegationDriver) {
  try {
    driver.checkToken(token);
  } catch (error) {
    if (!isCardPlatformError(error)) throw error;
    refuseState('token.nonce');
  }
}
