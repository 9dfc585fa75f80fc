import { flowNotLoaded } from '../../delegation/flow-not-loaded.js';

/** Loads the flow. A page with a button should not load all of it before the click. */
export function loadFlow() {
  return import('./run-evm-delegation.js').catch((error: unknown) => {
    throw flowNotLoaded(error);
  });
}
