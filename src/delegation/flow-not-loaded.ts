import { ChainError } from './chain-error.js';

/** The file with the flow could not be loaded. */
export function flowNotLoaded(cause: unknown): ChainError {
  const message =
    'the code of the flow could not be loaded. Nothing was sent. Reload the page, then resume.';
  return new ChainError({ code: 'flow_not_loaded', outcome: 'not_sent', message }, cause);
}
