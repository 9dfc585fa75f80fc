import { ConnectionError, TimeoutError } from '../errors/index.js';
import { Interruption } from './attempts/deadline.js';
import { recordOutcome } from './outcome/outcome-of.js';
import type { CheckedCall } from './settings/check-call.js';

type Pipe = typeof import('./pipe.js');

let loaded: Pipe | undefined;
let loading: Promise<Pipe> | undefined;

/** The pipe; `undefined` until it is loaded. */
export function loadedPipe(): Pipe | undefined {
  return loaded;
}

/**
 * Loads the pipe once, even for many first calls at the same time. Only this file imports it. A later
 * call tries again after a failure, which helps where the browser or bundler does not keep the failure
 * of an `import()`.
 */
export function loadPipe(): Promise<Pipe> {
  loading ??= import('./pipe.js').then(
    ({ deliver, checkInput }) => {
      loaded = { deliver, checkInput };
      return loaded;
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/**
 * Loads the pipe for one call, within the time of that call. Nothing has been sent yet, so every
 * failure has the outcome `not_sent`.
 *
 * @throws ConnectionError when it cannot be loaded, TimeoutError when time runs out first, or the
 *   reason of an abort
 */
export async function loadPipeFor({ endpoint, options }: CheckedCall): Promise<Pipe> {
  const { deadline } = options;
  try {
    return await deadline.run(deadline.totalTimeout, loadPipe);
  } catch (error) {
    deadline.release();
    const facts = { operation: endpoint.id, outcome: 'not_sent', isRetryable: true } as const;
    if (!(error instanceof Interruption)) {
      const message = 'the part of this package that sends requests could not be loaded.';
      throw new ConnectionError({ ...facts, message }, error);
    }
    if (error.kind === 'timeout') throw new TimeoutError('load', deadline.totalTimeout, facts);
    recordOutcome(error.reason, 'not_sent');
    throw error.reason;
  }
}
