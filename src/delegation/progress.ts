import type { DelegationState } from './state.js';
import type { DelegationStep } from './steps.js';

/** A progress event of a delegation, for the user interface. */
export type DelegationProgress = {
  /** The step it happened in. */
  readonly step: DelegationStep;
  /**
   * `started` and `done` mark the start and end of a step, `waiting` is progress within it,
   * `skipped` means that an earlier run completed it, and `failed` ends the flow.
   */
  readonly status: 'started' | 'waiting' | 'done' | 'skipped' | 'failed';
  /** An English sentence for the user. Translate by `step` and `status`. */
  readonly message: string;
  /** Position of the step, 1 to `total`. */
  readonly position: number;
  /** Number of steps. */
  readonly total: number;
  /** Whether the wallet is waiting for the user. */
  readonly needsUser: boolean;
  /** The transaction concerned. */
  readonly transactionId?: string;
  /** The faucet's result, if it was requested. A declined request does not fail the flow. */
  readonly faucet?: Readonly<Record<string, unknown>>;
  /** With `failed`: why the flow ended. */
  readonly error?: unknown;
  /** The state of the flow. Save the latest one, so that you can resume after a reload. */
  readonly state: DelegationState;
};

/** Receives the progress of a delegation. Errors that it throws are ignored. */
export type ProgressListener = (progress: DelegationProgress) => void;

/** Calls a listener. Its errors never affect the flow. */
export function notify(listener: ProgressListener, progress: DelegationProgress): void {
  try {
    Promise.resolve(listener(progress)).catch(() => undefined);
  } catch {
    // A bug in the user interface must not cost the user an approval.
  }
}
