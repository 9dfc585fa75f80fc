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
