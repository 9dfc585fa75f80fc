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
import { describeWrongNode } from '../wallets/to-evm-wallet.js';
import { EVM_SAVED_STATE, evmDriver } from './driver.js';
import type { EvmCheckedNames, EvmDelegationOptions, EvmRevocationOptions } from './options.js';
import { planDelegation, waitsOf } from './plan.js';

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
 * @throws RequestValidationError for invalid input, before the user is asked for anything.
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

/**
 * Revokes the spending authority of an EVM wallet: the flow of `delegateEvm` with a limit of zero. It
 * checks on the chain that nothing is left of the limit.
 *
 * Endpoints: as `delegateEvm`. With `submit: false`, only `GET /v1/delegation/chain/config` with
 * `'chain-config'`.
 *
 * @throws RequestValidationError for invalid input, before the user is asked for anything.
 * @throws ChainError as `delegateEvm`, and `RevocationNotRegisteredError` when the limit on the chain
 * is zero and the service did not confirm that it registered this.
 * @throws CardPlatformError of the client when the service refuses the token, and the signal's reason
 * on abort.
 *
 * @example
 * ```ts
 * import { type EvmRevocationOptions, revokeEvmDelegation } from 'card-platform-sdk/evm';
 *
 * async function revoke(options: EvmRevocationOptions) {
 *   const { transactionId } = await revokeEvmDelegation({ ...options, submit: false });
 *   return transactionId;
 * }
 * ```
 */
export async function revokeEvmDelegation(
  options: EvmRevocationOptions,
): Promise<RevocationResult> {
  return runEvmRevocation(options);
}

/** Texts with the form of a transaction hash and of a signature, which no transaction has. */
const SAMPLE = { txHash: `0x${'0'.repeat(64)}`, sigHash: `0x${'0'.repeat(130)}` };

const OPTION_NAMES: OptionNames<EvmDelegationOptions> = {
  ...COMMON_OPTIONS,
  network: true,
  currency: true,
  amount: true,
  cap: true,
  unlimited: true,
  wallet: true,
  address: true,
  node: true,
  networks: true,
  spender: true,
  confirmSpender: true,
  dryRun: true,
  allowSpenderWithoutCode: true,
  switchNetwork: true,
  domain: true,
  uri: true,
  messageRules: true,
  statement: true,
  messageLifetime: true,
  allowAnyNonce: true,
  wireAmount: true,
  confirmations: true,
  confirmationTimeout: true,
  pollingInterval: true,
};

/** Checks the options that need neither wallet nor service. */
export function checkEvmOptions(options: EvmDelegationOptions): EvmDelegationOptions {
  const problem = describeWrongNode(Object(options).node);
  if (problem !== undefined) invalid('node', problem);
  const checked = checkOptions(options, ['wallet', 'node'], EVM_SAVED_STATE);
  refuseUnknownOptions(checked, OPTION_NAMES);
  // For its errors: the service is not asked, nor the user, before these are right.
  waitsOf(checked);
  return checked;
}

async function prepare(
  options: EvmDelegationOptions,
  { isRevocation, isChainOnly }: { isRevocation: boolean; isChainOnly: boolean },
): Promise<[DelegationDriver, EvmDelegationOptions]> {
  const checked = checkEvmOptions(options);
  // The user may take long to confirm the spender.
  const plan = await untilAborted(checked.signal, planDelegation(checked, isRevocation));
  const driver = evmDriver(plan, isChainOnly);
  await checkSubmission('evm', driver, checked, SAMPLE);
  return [driver, checked];
}

/**
 * Runs the flow of `delegateEvm`.
 *
 * @param keeper keeps the state. Default: the caller does.
 */
export async function runEvmDelegation(
  options: EvmDelegationOptions,
  keeper?: StateKeeper,
): Promise<DelegationResult> {
  const purpose = { isRevocation: false, isChainOnly: false };
  return runDelegation(...(await prepare(options, purpose)), keeper);
}

/** Runs the flow of `revokeEvmDelegation`. */
async function runEvmRevocation(options: EvmRevocationOptions): Promise<RevocationResult> {
  const { submit = true, ...rest }: EvmRevocationOptions = Object(options);
  if (typeof submit !== 'boolean') invalid('submit', 'must be a boolean');
  const purpose = { isRevocation: true, isChainOnly: !submit };
  return runRevocation(...(await prepare({ ...rest, amount: '0' }, purpose)));
}
