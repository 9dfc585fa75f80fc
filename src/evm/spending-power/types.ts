import type { RegisteredWallet } from '../../delegation/client.js';
import type { ReadingOptions } from '../../delegation/reading-context.js';
import type { EvmNode } from '../chain/node.js';
import type { EvmNetworks } from '../networks.js';

/** The input of `readEvmSpendingPower`. */
export type EvmSpendingPowerOptions = ReadingOptions & {
  /** The registered wallets: the result of `wallets.external.list()`. */
  wallets: readonly (RegisteredWallet | null)[];
  /** The node to read the chain from. Wallets of other chains are left out. */
  node: EvmNode;
  /**
   * The address that may spend: the platform's contract, or one for each network, as in `spenders`
   * of `evmNetworksFromChainConfig`.
   */
  spender: string | Readonly<Record<string, string>>;
  /** Networks and tokens beyond `EVM_NETWORKS`, or in place of some of them. */
  networks?: EvmNetworks | undefined;
  /**
   * Returns the limit that the user set for a wallet, in units of the currency, if you have stored
   * it. Default: the limit that the service lists, which in practice may count down.
   */
  capOf?: ((wallet: RegisteredWallet) => string | undefined) | undefined;
};

/**
 * The spending power of a card from one wallet. Amounts are decimal strings in units of the currency.
 */
export type EvmSpendingPower = {
  /** The wallet, in EIP-55 form. */
  address: string;
  network: string;
  currency: string;
  /** The token's contract. */
  token: string;
  spender: string;
  decimals: number;
  /** The limit that was set: the whole of a progress bar. `undefined` if it is not known. */
  cap: string | undefined;
  /** The rest of the limit on the chain. */
  limit: string;
  /** Whether the approval on the chain has no limit. */
  isUnlimited: boolean;
  /** The tokens of the wallet. */
  balance: string;
  /** The amount that can be spent now: the smaller of limit and balance. */
  spendable: string;
  /** The part of the cap that was spent. `undefined` if the cap is not known. */
  spent: string | undefined;
};

/** The result of `readEvmSpendingPower`. */
export type EvmSpendingPowers = {
  wallets: EvmSpendingPower[];
  /**
   * Entries without a result. `not-evm`: no EVM address. `unknown-asset`: network or currency is in
   * no list. `no-spender`: no contract for the network. `other-chain`: not on the node's chain.
   * `unreadable`: the token did not respond.
   */
  leftOut: {
    wallet: RegisteredWallet | null;
    reason: 'not-evm' | 'unknown-asset' | 'no-spender' | 'other-chain' | 'unreadable';
  }[];
};
