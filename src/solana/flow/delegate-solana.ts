import type { DelegationResult } from '../../delegation/options.js';
import type { SolanaCheckedNames, SolanaDelegationOptions } from './options.js';
import { runSolanaDelegation } from './run-solana-delegation.js';

/**
 * Delegates spending authority from a user's own Solana wallet: token, message, `ApproveChecked` on
 * the chain, proof. The wallet is asked twice, once to sign the message and once for the approval;
 * everything that can be checked is checked before.
 *
 * Save `progress.state` (or `delegationStateOf(error)`) and pass it as `resume` to continue after
 * a reload, a declined prompt or an expired token. A sent approval is requested again only if it
 * failed, or if its blockhash expired and it is provably not on the chain. No local clock decides that.
 *
 * Endpoints: `GET /v1/delegation/token` and `POST /v1/delegation/solana/post-approval`. Also
 * `GET /v1/wallet/external`, if the flow must find out whether the wallet is registered and with
 * which limit, and `GET /v1/delegation/chain/config` with `'chain-config'`.
 *
 * @throws RequestValidationError for invalid input, before anything happens.
 * @throws ConfigurationError for a key pair if the runtime has no WebCrypto, as in React Native.
 * @throws ChainError for failures of wallet and chain: `UserRejectedError`,
 * `SignerMismatchError`, `UnsupportedSignatureError`, `NonceNotAllowedError`, `PromptTimeoutError`,
 * `WalletError`, `ChainReadError`, `TokenAccountError`, `DelegateInUseError`,
 * `TransactionRefusedError`, `TransactionRevertedError`, `TransactionExpiredError`,
 * `ConfirmationTimeoutError`, `ApprovalMismatchError`, `AllowanceRacedError`,
 * `ApprovalUnknownError`, `DelegationTokenExpiredError`, `DelegationInProgressError`,
 * `StateMismatchError`, `ProofUnknownError`, `ProofRefusedError`, `LimitNotUpdatedError`, or the
 * codes `insufficient_funds`, `token_unusable`, `clock_unusable`, `chain_config_unusable`
 * and `spender_not_confirmed`.
 * @throws CardPlatformError of the client when the service refuses, and the signal's reason on
 * abort.
 *
 * @example
 * ```ts
 * import type { CardPlatformClient } from 'card-platform-sdk';
 * import { delegateSolana, type StandardWallet } from 'card-platform-sdk/solana';
 * import { Connection } from '@solana/web3.js';
 *
 * async function delegate(client: CardPlatformClient, wallet: StandardWallet, spender: string) {
 *   return delegateSolana({
 *     client,
 *     wallet,
 *     node: new Connection('https://rpc.example.com'),
 *     currency: 'usdc',
 *     amount: '100.5',
 *     spender,
 *     onProgress: ({ message, state }) => {
 *       sessionStorage.setItem('delegation', JSON.stringify(state));
 *       console.log(message);
 *     },
 *   });
 * }
 * ```
 */
export async function delegateSolana<const Options extends SolanaDelegationOptions>(
  options: Options & SolanaCheckedNames<Options>,
): Promise<DelegationResult> {
  return runSolanaDelegation(options);
}
