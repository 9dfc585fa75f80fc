import { flowNotLoaded } from '../../delegation/flow-not-loaded.js';

type Flow = typeof import('./run-evm-delegation.js');

/** Loads what runs when it is called: a page with a button should not load it before the click. */
export function loadFlow(): Promise<Flow> {
  return import('./run-evm-delegation.js').catch((error: unknown) =>
    Promise.reject(flowNotLoaded(error)),
  );
}
