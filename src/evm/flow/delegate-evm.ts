import type { DelegationResult } from '../../delegation/options.js';
import type { EvmCheckedNames, EvmDelegationOptions } from './options.js';
import { runEvmDelegation } from './run-evm-delegation.js';

/**
 * Delegates spending authority from a user's own EVM wallet: token, message, approval on the chain,
 * proof. The wallet is asked twice, once to sign and once to send, and a third time if the old limit
 * must be set to zero first. Everything that can be checked is checked before.
 *
 * Save `progress.state` (or `delegationStateOf(error)`) and pass it as `resume` to continue after a
 * reload, a declined prompt or an expired token. A sent approval is requested again only if it failed,
 * or if the network dropped it.
 *
 * Endpoints: `GET /v1/delegation/token` and `POST /v1/delegation/evm/post-approval`. Also
 * `GET /v1/wallet/external`, if the flow must find out whether the wallet is registered and with
 * which limit, and `GET /v1/delegation/chain/config` with `'chain-config'`.
 *
 * @throws RequestValidationError for invalid input, before anything happens.
 * @throws ChainError for failures of wallet and chain: `UserRejectedError`,
 * `WrongChainError`, `SignerMismatchError`, `UnsupportedSignatureError`, `NonceNotAllowedError`,
 * `PromptTimeoutError`, `WalletError`, `ChainReadError`, `TransactionRevertedError`,
 * `TransactionReplacedError`, `TransactionCancelledError`, `ConfirmationTimeoutError`,
 * `ApprovalMismatchError`, `AllowanceRacedError`, `ApprovalUnknownError`,
 * `DelegationTokenExpiredError`, `DelegationInProgressError`, `StateMismatchError`,
 * `ProofUnknownError`, `ProofRefusedError`, `LimitNotUpdatedError`, or the codes
 * `insufficient_funds`, `approval_would_revert`, `token_decimals_differ`, `spender_without_code`,
 * `token_unusable`, `clock_unusable`, `chain_config_unusable` and `spender_not_confirmed`.
 * @throws CardPlatformError of the client when the service refuses, and the signal's reason on
 * abort.
 *
 * @example
 * ```ts
 * import type { CardPlatformClient } from 'card-platform-sdk';
 * import { delegateEvm } from 'card-platform-sdk/evm';
 * import { createPublicClient, createWalletClient, custom, http } from 'viem';
 * import { linea } from 'viem/chains';
 *
 * async function delegate(
 *   client: CardPlatformClient,
 *   provider: Parameters<typeof custom>[0],
 *   spender: string,
 * ) {
 *   const [account] = await createWalletClient({ transport: custom(provider) }).requestAddresses();
 *   return delegateEvm({
 *     client,
 *     wallet: createWalletClient({ account, chain: linea, transport: custom(provider) }),
 *     node: createPublicClient({ chain: linea, transport: http() }),
 *     network: 'linea',
 *     currency: 'usdc',
 *     amount: '100.5',
 *     spender: 'chain-config',
 *     confirmSpender: (named) => named === spender,
 *     onProgress: ({ message, state }) => {
 *       sessionStorage.setItem('delegation', JSON.stringify(state));
 *       console.log(message);
 *     },
 *   });
 * }
 * ```
 */
export async function delegateEvm<const Options extends EvmDelegationOptions>(
  options: Options & EvmCheckedNames<Options>,
): Promise<DelegationResult> {
  return runEvmDelegation(options);
}
