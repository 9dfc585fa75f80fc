import { getPublicClient, getWalletClient } from '@wagmi/core';
import type { CardPlatformClient } from 'card-platform-sdk';
import { delegateEvm } from 'card-platform-sdk/evm';
import { useSyncExternalStore } from 'react';
import { linea } from 'viem/chains';
import { sentenceFor } from './sentences.js';
import { config, connectWallet } from './wagmi.js';

// Kept outside React, because a delegation continues while its component is not shown.
let shown = '';
const listeners = new Set<() => void>();

function show(text: string): void {
  shown = text;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the current progress of the delegation. */
export function useDelegationProgress(): string {
  return useSyncExternalStore(subscribe, () => shown);
}

/** Lets the card pay up to an amount from the user's own wallet. */
export async function delegate(client: CardPlatformClient, amount: string): Promise<void> {
  try {
    await connectWallet();
    const publicClient = getPublicClient(config, { chainId: linea.id });
    await delegateEvm({
      client,
      wallet: await getWalletClient(config),
      publicClient,
      network: 'linea',
      currency: 'usdc',
      amount,
      spender: 'chain-config',
      domain: location.host,
      uri: location.origin,
      onProgress: ({ message }) => show(message),
    });
    show(`Done: the card may spend up to ${amount} USDC.`);
  } catch (error) {
    show(sentenceFor(error));
  }
}
