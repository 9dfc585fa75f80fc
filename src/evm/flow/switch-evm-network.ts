import { throwIfAborted } from '../../contract/formats/abort-reason.js';
import { invalid, requireDuration, requirePositiveInteger } from '../../delegation/check-values.js';
import { type PromptLimits, untilPromptEnds } from '../../delegation/prompt-timeout.js';
import { createReadingContext } from '../../delegation/reading-context.js';
import {
  checkChainDetails,
  type EvmChainDetails,
  type ViemChain,
} from '../wallets/chain-details.js';
import { chainOf, type NetworkWallet, switchNetwork } from '../wallets/switch-network.js';
import { type AnyEvmWallet, toNetworkWallet } from '../wallets/to-evm-wallet.js';

/** The options of `switchEvmNetwork`. */
export type SwitchEvmNetworkOptions = PromptLimits & {
  /** A viem wallet client, an EIP-1193 provider, or a plain object with `switchChain`. */
  wallet: AnyEvmWallet;
  /** The chain to switch to, for example `EVM_NETWORKS.linea.chainId`. */
  chainId: number;
  /**
   * The details of the network, or a chain of `viem/chains`, for a wallet that does not know it.
   * Default the `chain` of a viem wallet client if it is this one.
   */
  details?: EvmChainDetails | ViemChain | undefined;
};

/**
 * Asks the wallet to switch to a chain (`wallet_switchEthereumChain`), and to add it first if the
 * wallet does not know it (`wallet_addEthereumChain`). Does nothing if the wallet is on the chain.
 * Reads the wallet's chain id again afterwards, because some wallets report switches that did not
 * happen. `delegateEvm` does the same with its option `switchNetwork`.
 *
 * @throws RequestValidationError for invalid input, before the wallet is asked.
 * @throws ChainError `UserRejectedError` when the user declines, `WrongChainError` when the wallet
 *   cannot switch, does not know the network, or did not switch, `PromptTimeoutError`, or the codes
 *   `wallet_failed` and `chain_unreadable`. The outcome is always `not_sent`.
 *
 * @example
 * ```ts
 * import { type Eip1193Provider, EVM_NETWORKS, switchEvmNetwork } from 'card-platform-sdk/evm';
 * import { linea } from 'viem/chains';
 *
 * function useLinea(wallet: Eip1193Provider): Promise<void> {
 *   return switchEvmNetwork({ wallet, chainId: EVM_NETWORKS.linea.chainId, details: linea });
 * }
 * ```
 */
export async function switchEvmNetwork(options: SwitchEvmNetworkOptions): Promise<void> {
  const { chainId, promptTimeout, runtime, signal }: SwitchEvmNetworkOptions = Object(options);
  requirePositiveInteger('chainId', chainId);
  if (promptTimeout !== undefined) requireDuration('promptTimeout', promptTimeout);
  const wallet = toNetworkWallet(options.wallet);
  const details = detailsOf(options.details ?? true, wallet, chainId, 'details');
  const context = {
    ...createReadingContext({ runtime, signal }),
    prompt: <T>(ask: () => Promise<T>) => {
      throwIfAborted(signal);
      return untilPromptEnds(ask(), options, 'not_sent');
    },
  };
  if ((await chainOf(wallet, context)) === chainId) return;
  await switchNetwork(wallet, chainId, details, context);
}

/**
 * The details of the network in the option, or else of the wallet's own chain; `undefined` if neither
 * has any.
 *
 * @throws RequestValidationError naming the field of the option
 */
export function detailsOf(
  option: boolean | EvmChainDetails | ViemChain,
  { chain }: Pick<NetworkWallet, 'chain'>,
  chainId: number,
  path = 'switchNetwork',
): EvmChainDetails | undefined {
  if (option === true) return chain?.id === chainId ? chain.details : undefined;
  if (option === false) return undefined;
  if (typeof option !== 'object') return invalid(path, 'must be true, or the network’s details');
  return checkChainDetails(path, option, chainId);
}
