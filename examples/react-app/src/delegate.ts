import type { CardPlatformClient } from 'card-platform-sdk';
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

/** Returns what to show of the delegation, and a function that starts it. */
export function useLimit(client: CardPlatformClient) {
  const limit = limits.get(client) ?? createLimit(client);
  limits.set(client, limit);
  const { message, status } = useSyncExternalStore(limit.subscribe, limit.getState);
  async function start(amount: string): Promise<void> {
    await connectWallet();
    // A failure is shown: its sentence is the message.
    await limit.start({ amount }).catch(() => undefined);
  }
  return { message, isRunning: status === 'running', start };
}
