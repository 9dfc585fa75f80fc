import type { DelegationStep } from './steps.js';

/** The messages for the user when a step starts and when it is done. */
export const STEP_MESSAGES: Readonly<Record<DelegationStep, readonly [string, string]>> = {
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

const REVOCATION_MESSAGES: Readonly<Record<string, string>> = {
  'Preparing the delegation.': 'Preparing the revocation.',
  'The delegation is prepared.': 'The revocation is prepared.',
  'Approve the spending limit in your wallet.': 'Set the spending limit to zero in your wallet.',
  'The approval is sent.': 'The revocation is sent.',
  'Waiting for the network to confirm the approval.':
    'Waiting for the network to confirm the revocation.',
  'The approval is confirmed.': 'The revocation is confirmed.',
  'Checking that the confirmed approval is the one you asked for.':
    'Checking that the limit is zero.',
  'The confirmed approval is the one you asked for.': 'The limit is zero.',
  'Registering your wallet.': 'Reporting that the limit is zero.',
  'Your wallet is registered.': 'The limit is reported as zero.',
  'Your wallet is ready to pay.': 'The limit of your wallet is zero.',
};

/** The message of a step for a flow that sets the limit to zero. */
export function revocationMessage(message: string): string {
  return REVOCATION_MESSAGES[message] ?? message;
}
