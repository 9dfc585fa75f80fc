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
