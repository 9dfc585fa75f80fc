import type { DelegationStep } from './steps.js';

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
