import { untilAborted } from '../contract/formats/abort-reason.js';
import type { Outcome } from '../errors/index.js';
import type { DelegationOptions } from './options.js';
import { sleep } from './runtime.js';
import { PromptTimeoutError } from './wallet-errors.js';

/** The options that end the wait for a wallet. */
export type PromptLimits = Pick<DelegationOptions, 'promptTimeout' | 'runtime' | 'signal'>;

/**
 * Waits for the response of a wallet, until the signal is aborted or the time limit for prompts is
 * over. This does not close the prompt: the wallet may still respond.
 *
 * @throws PromptTimeoutError with `lateOutcome`. `onTimeout` gets the same error.
 */
export async function untilPromptEnds<T>(
  response: Promise<T>,
  { promptTimeout: limit, runtime, signal }: PromptLimits,
  lateOutcome: Outcome,
  onTimeout?: (error: PromptTimeoutError) => void,
): Promise<T> {
  if (limit === undefined) return untilAborted(signal, response);
  const end = new AbortController();
  const timeLimit = async (): Promise<never> => {
    await (runtime?.sleep ?? sleep)(limit, end.signal);
    const error = new PromptTimeoutError(limit, lateOutcome);
    if (!end.signal.aborted) onTimeout?.(error);
    throw error;
  };
  try {
    return await untilAborted(signal, Promise.race([response, timeLimit()]));
  } finally {
    end.abort();
  }
}
