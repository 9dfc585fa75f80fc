import type { DelegationState } from './state.js';

/**
 * The steps of a delegation, in the order in which they happen.
 *
 * The chain is read first: whatever can be known is known before the service or the wallet is asked.
 * The message is signed before the approval is sent, so that a wallet whose signature the service
 * cannot take fails before a network fee is paid.
 */
export const DELEGATION_STEPS = [
  'chain-check',
  'token',
  'local-checks',
  'message-signed',
  'approval-sent',
  'confirmed',
  'verified',
  'proof-submitted',
  'done',
] as const;

/** One step of a delegation. */
export type DelegationStep = (typeof DELEGATION_STEPS)[number];

/** The messages for the user when a step starts and when it is done. */
export type StepMessages = Readonly<Record<DelegationStep, readonly [string, string]>>;

const MESSAGES: StepMessages = {
  token: ['Preparing the delegation.', 'The delegation is prepared.'],
  'local-checks': ['Checking the details.', 'The details are in order.'],
  'chain-check': ['Checking the network of your wallet.', 'Your wallet is on the right network.'],
  'message-signed': [
    'Sign the message in your wallet. This costs nothing.',
    'The message is signed.',
  ],
  'approval-sent': ['Approve the spending limit in your wallet.', 'The approval is sent.'],
  confirmed: ['Waiting for the network to confirm the approval.', 'The approval is confirmed.'],
  verified: [
    'Checking that the confirmed approval is the one you asked for.',
    'The confirmed approval is the one you asked for.',
  ],
  'proof-submitted': ['Registering your wallet.', 'Your wallet is registered.'],
  done: ['Your wallet is ready to pay.', 'Your wallet is ready to pay.'],
};

const REVOCATION_MESSAGES: Partial<StepMessages> = {
  token: ['Preparing the revocation.', 'The revocation is prepared.'],
  'approval-sent': ['Set the spending limit to zero in your wallet.', 'The revocation is sent.'],
  confirmed: ['Waiting for the network to confirm the revocation.', 'The revocation is confirmed.'],
  verified: ['Checking that the limit is zero.', 'The limit is zero.'],
  'proof-submitted': ['Reporting that the limit is zero.', 'The limit is reported as zero.'],
  done: ['The limit of your wallet is zero.', 'The limit of your wallet is zero.'],
};

/** Returns the messages of a flow that sets a limit, or sets it to zero. */
export function stepMessages(isRevocation: boolean): StepMessages {
  return isRevocation ? { ...MESSAGES, ...REVOCATION_MESSAGES } : MESSAGES;
}

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
