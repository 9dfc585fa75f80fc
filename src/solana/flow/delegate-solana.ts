import { invalid } from '../../delegation/check-values.js';
import type { StateKeeper } from '../../delegation/keeper.js';
import type { DelegationResult, RevocationResult } from '../../delegation/options.js';
import { runDelegation, runRevocation } from '../../delegation/run-delegation.js';
import type {
  SolanaCheckedNames,
  SolanaDelegationOptions,
  SolanaRevocationOptions,
} from './options.js';
import { prepareDelegation } from './prepare-delegation.js';

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

/**
 * Revokes the delegate of a token account, checks on the chain that nothing can be spent any more,
 * and submits that to the service with an amount of zero. Steps, errors and saved states are the
 * same as in `delegateSolana`. With `submit: false` only the chain is changed.
 *
 * Endpoints: as `delegateSolana`. With `submit: false`, only `GET /v1/delegation/chain/config` with
 * `'chain-config'`.
 *
 * @throws RequestValidationError for invalid input, before anything happens.
 * @throws ConfigurationError as `delegateSolana` does.
 * @throws ChainError as `delegateSolana` does, and `RevocationNotRegisteredError` when the chain is
 * changed and the service did not confirm that it registered this.
 * @throws CardPlatformError of the client when the service refuses the token, and the signal's
 * reason on abort.
 *
 * @example
 * ```ts
 * import { revokeSolanaDelegation, type SolanaRevocationOptions } from 'card-platform-sdk/solana';
 *
 * async function stopSpending(options: SolanaRevocationOptions): Promise<string> {
 *   const { transactionId } = await revokeSolanaDelegation(options);
 *   return transactionId;
 * }
 * ```
 */
export async function revokeSolanaDelegation(
  options: SolanaRevocationOptions,
): Promise<RevocationResult> {
  return runSolanaRevocation(options);
}

/**
 * The flow of `delegateSolana`.
 *
 * @param keeper keeps the state. Default: the caller does.
 */
export async function runSolanaDelegation(
  options: SolanaDelegationOptions,
  keeper?: StateKeeper,
): Promise<DelegationResult> {
  const { checked, driver } = await prepareDelegation(options);
  return runDelegation(driver, checked, keeper);
}

/** The flow of `revokeSolanaDelegation`. */
async function runSolanaRevocation(options: SolanaRevocationOptions): Promise<RevocationResult> {
  const {
    revokeWith = 'revoke',
    submit = true,
    ...rest
  }: SolanaRevocationOptions = Object(options);
  if (revokeWith !== 'revoke' && revokeWith !== 'approve-zero') {
    invalid('revokeWith', "must be 'revoke' or 'approve-zero'");
  }
  if (typeof submit !== 'boolean') invalid('submit', 'must be true or false');
  const zero = { ...rest, amount: '0' };
  const { checked, driver } = await prepareDelegation(zero, revokeWith, !submit);
  return runRevocation(driver, checked);
}
