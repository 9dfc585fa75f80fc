import type { CardPlatformClient } from 'card-platform-sdk';
import { isChainError } from 'card-platform-sdk/evm';
import { createDelegation } from 'card-platform-sdk/wagmi';
import { useSyncExternalStore } from 'react';
import { linea } from 'viem/chains';
import { config, connectWallet } from './wagmi.js';

/** The contract of the mock platform. Take that of your platform from your own configuration. */
const SPENDER = '0x00000000000000000000000000000000000de1e9';

function createLimit(client: CardPlatformClient) {
  return createDelegation(config, {
    client,
    chainId: linea.id,
    currency: 'usdc',
    spender: SPENDER,
  });
}

// Kept outside React, because a delegation continues while its component is not shown.
const limits = new WeakMap<CardPlatformClient, ReturnType<typeof createLimit>>();

/** What the button says after an attempt. */
const LABELS: Readonly<Record<string, string>> = {
  retry: 'Try again',
  resume: 'Continue',
  replace: 'Start over',
};

/** Returns what to show of the delegation, and functions for the clicks on its buttons. */
export function useLimit(client: CardPlatformClient) {
  const limit = limits.get(client) ?? createLimit(client);
  limits.set(client, limit);
  const state = useSyncExternalStore(limit.subscribe, limit.getState, limit.getState);
  const { message, next, status, error } = state;
  async function press(amount: string): Promise<void> {
    await connectWallet();
    // An approval that is under way has an amount of its own, whatever is in the field by now.
    if (next === 'resume') await limit.resume({});
    else await limit.start({ amount, replace: next === 'replace' });
  }
  async function startAgain(amount: string): Promise<void> {
    await connectWallet();
    await limit.start({ amount, replace: true });
  }
  return {
    message,
    label: LABELS[next ?? ''] ?? 'Approve',
    isRunning: status === 'running',
    // Only the user can see in the wallet that nothing was sent and that no prompt is open.
    isForUserToSay: isChainError(error, 'approval_unknown'),
    // A failure is shown: its sentence is the message.
    press: (amount: string) => press(amount).catch(() => undefined),
    startAgain: (amount: string) => startAgain(amount).catch(() => undefined),
  };
}
