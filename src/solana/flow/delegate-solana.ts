import { untilAborted } from '../../contract/formats/abort-reason.js';
import {
  COMMON_OPTIONS,
  checkOptions,
  type OptionNames,
  refuseUnknownOptions,
} from '../../delegation/check-options.js';
import { invalid } from '../../delegation/check-values.js';
import type { DelegationDriver } from '../../delegation/driver.js';
import type { DelegationResult, RevocationResult } from '../../delegation/options.js';
import { runDelegation, runRevocation } from '../../delegation/run-delegation.js';
import type { StateKeeper } from '../../delegation/state-keeper.js';
import { checkSubmission } from '../../delegation/submit-proof.js';
import { describeWrongConnection } from '../wallets/wallet.js';
import { solanaDriver } from './driver.js';
import type {
  RevokingInstruction,
  SolanaCheckedNames,
  SolanaDelegationOptions,
  SolanaRevocationOptions,
} from './options.js';
import { planDelegation, type SolanaPlan } from './plan.js';
import { SOLANA_SAVED_STATE } from './saved-state.js';

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
 * @throws RequestValidationError for invalid input, before the user is asked for anything.
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
 * @throws RequestValidationError for invalid input, before the user is asked for anything.
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

/** A text with the form of a transaction signature, which no transaction has. */
const NO_SIGNATURE = '2'.repeat(88);
const SAMPLE = { txHash: NO_SIGNATURE, sigHash: NO_SIGNATURE };

/** A delegation whose options were checked. */
export type PreparedDelegation = {
  readonly checked: SolanaDelegationOptions;
  readonly plan: SolanaPlan;
  readonly driver: DelegationDriver;
};

const OPTION_NAMES: OptionNames<SolanaDelegationOptions> = {
  ...COMMON_OPTIONS,
  wallet: true,
  account: true,
  chain: true,
  node: true,
  currency: true,
  token: true,
  amount: true,
  cap: true,
  wireAmount: true,
  spender: true,
  confirmSpender: true,
  environment: true,
  replaceSpender: true,
  tokenAccount: true,
  domain: true,
  uri: true,
  messageRules: true,
  statement: true,
  commitment: true,
  computeUnitLimit: true,
  computeUnitPrice: true,
  confirmationTimeout: true,
};

/** Checks the options that need neither wallet nor service. */
export function checkSolanaOptions(options: SolanaDelegationOptions): SolanaDelegationOptions {
  const problem = describeWrongConnection(Object(options).node);
  if (problem !== undefined) invalid('node', problem);
  const checked = checkOptions(options, ['wallet', 'node'], SOLANA_SAVED_STATE);
  refuseUnknownOptions(checked, OPTION_NAMES);
  return checked;
}

/** Checks the options, and everything that the last step will check. */
export async function prepareDelegation(
  options: SolanaDelegationOptions,
  revokeWith?: RevokingInstruction,
  isChainOnly = false,
): Promise<PreparedDelegation> {
  const checked = checkSolanaOptions(options);
  // The user may take long to confirm the delegate.
  const plan = await untilAborted(checked.signal, planDelegation(checked, revokeWith));
  const driver = solanaDriver(plan, isChainOnly);
  await checkSubmission('solana', driver, checked, SAMPLE);
  return { checked, plan, driver };
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
