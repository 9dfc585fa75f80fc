import { ChainError } from '../delegation/chain-error.js';
import { invalid } from '../delegation/check-values.js';
import { WalletError } from '../delegation/wallet-errors.js';
import type { Eip1193Provider, EvmNode, ViemChain } from '../evm/index.js';
import { walletFromProvider } from '../evm/wallets/to-evm-wallet.js';
import type { EvmWallet } from '../evm/wallets/wallet.js';

/** The part of a wagmi config that is used: what `createConfig` of wagmi 2 or 3 returns. */
export type WagmiConfig = {
  /** The chains of the app. */
  readonly chains: readonly ViemChain[];
  /** The connections of the user's wallets. */
  readonly state: {
    readonly current: string | null;
    readonly connections: ReadonlyMap<string, WagmiConnection>;
  };
  /** Where wagmi keeps its own state. */
  readonly storage?: WagmiStorage | null | undefined;
  /** The node of a chain. */
  getClient(parameters: { chainId: never }): unknown;
};

/** A connected wallet of wagmi. */
export type WagmiConnection = {
  /** The accounts that the page may use, the chosen one first. */
  readonly accounts: readonly string[];
  /** The connector through which the wallet was connected. */
  readonly connector: {
    /** The wallet itself (EIP-1193). */
    getProvider(): Promise<unknown>;
  };
};

/** The storage of a wagmi config. */
export type WagmiStorage = {
  /** Reads a value. */
  getItem(key: never, defaultValue?: never): unknown;
  /** Writes a value. */
  setItem(key: never, value: never): unknown;
  /** Removes a value. */
  removeItem(key: never): unknown;
};

/** The chain of a config. */
export function chainIn(config: WagmiConfig, chainId: number): ViemChain {
  const chain = config.chains.find(({ id }) => id === chainId);
  return chain ?? invalid('chainId', 'is not a chain of the wagmi config: add it to `chains`');
}

/** The node that reads a chain: the transport of the config. */
export function nodeOf(config: WagmiConfig, chainId: number): EvmNode {
  chainIn(config, chainId);
  return config.getClient({ chainId: chainId as never }) as EvmNode;
}

/**
 * The connected wallet. It is read again for each delegation, because the user may have switched to
 * another account or connector.
 *
 * @throws ChainError with the code `wallet_failed` when no wallet is connected, or it does not return its provider
 */
export async function walletOf(config: WagmiConfig): Promise<EvmWallet> {
  const { current, connections } = config.state;
  const connection = current === null ? undefined : connections.get(current);
  const account = connection?.accounts[0];
  if (connection === undefined || account === undefined) throw notConnected();
  // A config that was restored from storage has no functions until wagmi has reconnected.
  if (typeof connection.connector.getProvider !== 'function') throw notConnected();
  return walletFromProvider(await providerOf(connection), account);
}

async function providerOf({ connector }: WagmiConnection): Promise<Eip1193Provider> {
  const what = 'it did not return its provider';
  let provider: unknown;
  try {
    provider = await connector.getProvider();
  } catch (error) {
    throw new WalletError(what, 'not_sent', error);
  }
  if (typeof Object(provider).request !== 'function') throw new WalletError(what, 'not_sent');
  return provider as Eip1193Provider;
}

function notConnected(): ChainError {
  return new ChainError({
    code: 'wallet_failed',
    outcome: 'not_sent',
    message:
      'no wallet is connected to the wagmi config, or wagmi has not reconnected it yet. This call sent nothing, and what an earlier one has saved is kept. Connect a wallet, for example with useConnect, and call it again.',
  });
}
