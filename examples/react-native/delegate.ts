import { type DelegationState, delegateEvm } from 'card-platform-sdk/evm';
import * as SecureStore from 'expo-secure-store';
import { useSyncExternalStore } from 'react';
import { createPublicClient, http } from 'viem';
import { linea } from 'viem/chains';
import { messageOf } from './messages';
import type { User } from './platform';
import { connectWallet } from './wallet';

/** Where a user's delegation is stored. A key may hold only these characters. */
const keyOf = (userId: string) => `delegation.${userId.replace(/[^\w.-]/g, '_')}`;

// Kept outside React, because a delegation continues while its button is not shown.
let progress = { text: '', isRunning: false };
const listeners = new Set<() => void>();

function show(text: string, isRunning: boolean): void {
  progress = { text, isRunning };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the current progress of the delegation. */
export const useDelegation = () => useSyncExternalStore(subscribe, () => progress);

/** Lets the card spend from the user's wallet, and shows the progress. */
export async function delegate(user: User): Promise<void> {
  if (progress.isRunning) return;
  show('Connecting your wallet', true);
  try {
    await runDelegation(user);
    show('The card may spend up to 250 USDC from your wallet.', false);
  } catch (error) {
    show(messageOf(error), false);
  }
}

/**
 * The wallet opens by a link, and the app sleeps meanwhile. The state is stored after each step, so
 * a delegation that was interrupted when the app was closed continues from there at the next tap.
 */
async function runDelegation({ client, userId }: User): Promise<void> {
  const key = keyOf(userId);
  const saved = await SecureStore.getItemAsync(key);
  let saving: Promise<unknown> = Promise.resolve();
  try {
    await delegateEvm({
      client,
      wallet: await connectWallet(),
      publicClient: createPublicClient({ chain: linea, transport: http() }),
      network: 'linea',
      currency: 'usdc',
      amount: '250',
      spender: 'chain-config',
      domain: 'app.example.com',
      uri: 'https://app.example.com',
      resume: saved === null ? undefined : (JSON.parse(saved) as DelegationState),
      onProgress: ({ state, message }) => {
        show(message, true);
        // Writes one after the other, because an older state must not overwrite a newer one.
        saving = saving.then(() => SecureStore.setItemAsync(key, JSON.stringify(state)));
      },
    });
  } finally {
    await saving;
  }
  await SecureStore.deleteItemAsync(key);
}
