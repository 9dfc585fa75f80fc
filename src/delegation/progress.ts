import type { DelegationState } from './state.js';
import type { DelegationStep } from './steps.js';

/** Something that happened in a delegation, for the user interface. */
export type DelegationProgress = {
  /** The step it happened in. */
  readonly step: DelegationStep;
  /**
   * `started` and `done` frame a step; `waiting` is news within it; `skipped` means that a resumed
   * flow had done it before; `failed` ends the flow.
   */
  readonly status: 'started' | 'waiting' | 'done' | 'skipped' | 'failed';
  /** What the user can be told, an English sentence. Translate by `step` and `status`. */
  readonly message: string;
  /** Position of the step, 1 to `total`. */
  readonly position: number;
  /** Number of steps. */
  readonly total: number;
  /** Whether the wallet is being asked now, so that the user has to act there. */
  readonly needsUser: boolean;
  /** The transaction it is about. */
  readonly transactionId?: string;
  /** The faucet's answer, when the flow asked it. A failure of the faucet is news, not an error. */
  readonly faucet?: Readonly<Record<string, unknown>>;
  /** Why the flow ended, with `failed`. */
  readonly error?: unknown;
  /** How far the flow has come. Save the latest one to be able to resume after a reload. */
  readonly state: DelegationState;
};

/** Takes the progress of a delegation. What it throws is ignored. */
export type ProgressListener = (progress: DelegationProgress) => void;

/** Calls a listener in such a way that its faults never change the flow. */
export function notify(listener: ProgressListener, progress: DelegationProgress): void {
  try {
    Promise.resolve(listener(progress)).catch(() => undefined);
  } catch {
    // A fault of the user interface must not cost the user an approval.
  }
}
