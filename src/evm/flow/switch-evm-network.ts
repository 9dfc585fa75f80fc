import type { SwitchEvmNetworkOptions } from './switch-network.js';
import { runSwitchNetwork } from './switch-network.js';

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
  return runSwitchNetwork(options);
}
