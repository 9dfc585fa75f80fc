import { createDelegation, isChainError } from 'card-platform-sdk/evm';
import { useSyncExternalStore } from 'react';
import { createPublicClient, http } from 'viem';
import { linea } from 'viem/chains';
import { keychain, type User } from './platform';
import { connectWallet } from './wallet';

/** The platform's contract, from your own configuration. */
const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';

/**
 * The wallet opens by a link, and the app sleeps meanwhile. The delegation is kept in the keychain, so
 * one that was interrupted when the app was closed continues from there at the next tap.
 */
function createLimit({ client, userId }: User) {
  return createDelegation({
    client,
    store: keychain,
    user: userId,
    node: createPublicClient({ chain: linea, transport: http() }),
    network: 'linea',
    currency: 'usdc',
    spender: SPENDER,
    domain: 'app.example.com',
    uri: 'https://app.example.com',
  });
}

// Kept outside React, because a delegation continues while its button is not shown.
const limits = new WeakMap<User, ReturnType<typeof createLimit>>();

/** Returns what to show of the user's delegation, and a function that starts it. */
export function useLimit(user: User) {
  const limit = limits.get(user) ?? createLimit(user);
  limits.set(user, limit);
  const { message, status, error } = useSyncExternalStore(limit.subscribe, limit.getState);
  async function start(amount: string, replace = false): Promise<void> {
    const wallet = await connectWallet();
    // A failure is shown: its sentence is the message.
    await limit.start({ wallet, amount, replace }).catch(() => undefined);
  }
  // Only the user can see in the wallet that nothing was sent and that no prompt is open.
  const isForUserToSay = isChainError(error, 'approval_unknown');
  return { message, isForUserToSay, isRunning: status === 'running', start };
}
