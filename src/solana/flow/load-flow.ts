import { flowNotLoaded } from '../../delegation/flow-not-loaded.js';

/** Loads what a page with a button should not load before the click. */
export function loadFlow(): Promise<typeof import('./run-solana-delegation.js')> {
  return import('./run-solana-delegation.js').catch((error: unknown) =>
    Promise.reject(flowNotLoaded(error)),
  );
}
