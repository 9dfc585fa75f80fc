import type { CardPlatformClient } from 'card-platform-sdk';
import { type DelegationState, delegateEvm, type Eip1193Provider } from 'card-platform-sdk/evm';
import * as SecureStore from 'expo-secure-store';
import { createPublicClient, http } from 'viem';
import { linea } from 'viem/chains';

const KEY = 'delegation';

/**
 * Lets the card spend from the user's wallet. `provider` is connected, for example WalletConnect's:
 * it opens the wallet by a link, and the app sleeps meanwhile. What was done is stored after each
 * step, so a delegation that a closed app interrupted goes on from there.
 */
export async function delegate(client: CardPlatformClient, provider: Eip1193Provider) {
  const saved = await SecureStore.getItemAsync(KEY);
  let saving: Promise<unknown> = Promise.resolve();
  const result = await delegateEvm({
    client,
    wallet: provider,
    publicClient: createPublicClient({ chain: linea, transport: http() }),
    network: 'linea',
    currency: 'usdc',
    amount: '250',
    spender: 'chain-config',
    domain: 'app.example.com',
    uri: 'https://app.example.com',
    resume: saved === null ? undefined : (JSON.parse(saved) as DelegationState),
    onProgress: ({ state }) => {
      // One after the other: an older state must not overwrite a newer one.
      saving = saving.then(() => SecureStore.setItemAsync(KEY, JSON.stringify(state)));
    },
  });
  await saving;
  await SecureStore.deleteItemAsync(KEY);
  return result;
}
