import { baseUnitsToDecimal } from '../../contract/formats/decimal.js';
import { invalid } from '../../delegation/check-values.js';
import { BALANCE_BELOW_AMOUNT, noGas } from '../../delegation/preview-problems.js';
import { ifReadable } from '../../delegation/reading-context.js';
import { wireAmountOf } from '../../delegation/submit-proof.js';
import { checkAddress } from '../address.js';
import { approveCalls } from '../approval/calls.js';
import { type ApprovalPlan, planApproval } from '../approval/spending-limit.js';
import type { ChainFacts } from '../chain/chain-facts.js';
import { type ChainReader, plainReader } from '../chain/reader.js';
import { toEvmWallet } from '../wallets/to-evm-wallet.js';
import { checkNode, hasOwnKey, isDelegatedCode } from './check-chain.js';
import { type DryRun, dryRun, estimateFee } from './dry-run.js';
import type { EvmDelegationOptions } from './options.js';
import { type OnNetwork, resolveLimit, withNetwork } from './resolve-limit.js';

/**
 * The options of `previewEvmDelegation`: the options of `delegateEvm`, so that you can pass the
 * same object to both. Options that are not listed here are ignored.
 */
export type EvmPreviewOptions = Pick<
  EvmDelegationOptions,
  | 'node'
  | 'address'
  | 'network'
  | 'currency'
  | 'networks'
  | 'amount'
  | 'cap'
  | 'unlimited'
  | 'spender'
  | 'confirmSpender'
  | 'allowSpenderWithoutCode'
  | 'wireAmount'
  | 'faucet'
  | 'checkFunds'
  | 'region'
  | 'readTimeout'
  | 'signal'
> & {
  /** The wallet, of which only the address is read. Not needed with `address`. */
  wallet?: EvmDelegationOptions['wallet'] | undefined;
  /** Needed with `'chain-config'` as `spender` or `networks`. */
  client?: EvmDelegationOptions['client'] | undefined;
};

/** Something that would make a delegation fail, or cost the user more than expected. */
export type EvmPreviewProblem = {
  /**
   * `unsupported-signature`: the account is a contract, whose signature the service does not accept.
   * `approval-refused`: the token refuses the approval, because it is paused or blocks the account
   * or the spender. `no-gas`: the wallet cannot pay the estimated fee. `resets-first`: the token
   * needs one more transaction, which sets the old limit to zero. `balance-below-amount`: the
   * wallet has fewer tokens than the limit, which can still be set.
   */
  code:
    | 'unsupported-signature'
    | 'approval-refused'
    | 'no-gas'
    | 'resets-first'
    | 'balance-below-amount';
  /**
   * Whether the delegation would fail. `no-gas` does not block it where the flow asks the faucet, or with
   * `checkFunds: false`.
   */
  isBlocking: boolean;
  /** An English sentence for the user. Translate by `code`. */
  message: string;
  /**
   * With `approval-refused`: the token's reason, for your log. It is the token's text in quotes,
   * such as `"Pausable: paused"`, or the selector of a custom error, such as `error 0xd93c0665`,
   * whose name is not on the chain. Missing if the node does not report it.
   */
  reason?: string | undefined;
};

/**
 * The effects that a delegation would have, as plain data. A field that could not be read is
 * `undefined`.
 */
export type EvmDelegationPreview = {
  /** The account that delegates, in EIP-55 form. */
  owner: string;
  chainId: number;
  /** The network's name at the service. */
  network: string;
  /** The currency's name at the service. */
  currency: string;
  /** The token's contract. */
  token: string;
  decimals: number;
  /** The address that may spend. */
  spender: string;
  /** The limit, in units of the currency. */
  amount: string;
  /** The limit in base units, as text: what the chain gets, unless it is unlimited. */
  baseUnits: string;
  /** Whether the approval on the chain has no limit. */
  isUnlimited: boolean;
  /** The limit as the service gets it. */
  wireAmount: string;
  /** The limit on the chain now, in units of the currency. */
  oldLimit: string;
  /** The same in base units. */
  oldLimitBaseUnits: string;
  /** How many transactions the wallet is asked to send: 2 if the old limit must be zero first. */
  transactions: 1 | 2;
  /** Whether the old limit is set to zero first. */
  resetsFirst: boolean;
  /** The approximate cost of the transactions, in wei. */
  estimatedFee: string | undefined;
  /** The native coins of the wallet, in wei. */
  nativeBalance: string | undefined;
  /**
   * Whether the wallet cannot pay the estimated fee, so that the faucet is needed. `undefined` if fee or
   * balance cannot be read, or if somebody else may pay (EIP-7702).
   */
  needsFaucet: boolean | undefined;
  /** The tokens of the wallet, in units of the currency. */
  tokenBalance: string | undefined;
  /** What would make the delegation fail, or surprise the user; the worst first. */
  problems: EvmPreviewProblem[];
};

/** What the chain reports for a preview. A field that could not be read is `undefined`. */
type PreviewReads = {
  readonly oldLimit: bigint;
  readonly tokenBalance: bigint | undefined;
  readonly nativeBalance: bigint | undefined;
  readonly fee: bigint | undefined;
  readonly dryRun: DryRun;
  readonly resetsFirst: boolean;
  /** Whether the account has a key of its own, so that it can sign the message. */
  readonly canSign: boolean;
  /** Whether only the account itself can pay the fee. */
  readonly isPayer: boolean;
};

/** Returns what would make a delegation fail, or surprise the user; the worst first. */
function findProblems(
  { dryRun, resetsFirst, tokenBalance, canSign }: PreviewReads,
  units: bigint,
  noGas: EvmPreviewProblem | false,
): EvmPreviewProblem[] {
  const found: (EvmPreviewProblem | false)[] = [
    !canSign && {
      code: 'unsupported-signature',
      isBlocking: true,
      message: 'The account is a contract. Use an account with its own private key.',
    },
    dryRun.result === 'refused' && {
      code: 'approval-refused',
      isBlocking: true,
      message: 'The token refuses the approval. It may be paused, or block this account.',
      ...(dryRun.reason === undefined ? {} : { reason: dryRun.reason }),
    },
    noGas,
    resetsFirst && {
      code: 'resets-first',
      isBlocking: false,
      message: 'The old limit is set to zero first, with a transaction of its own.',
    },
    tokenBalance !== undefined && tokenBalance < units && { ...BALANCE_BELOW_AMOUNT },
  ];
  return found.filter((problem) => problem !== false);
}

async function ownerOf({ wallet, address }: EvmPreviewOptions): Promise<string> {
  if (wallet !== undefined) return (await toEvmWallet(wallet, address)).address;
  return address ?? invalid('address', 'is needed without a wallet');
}

async function readChain(
  plan: ApprovalPlan,
  owner: `0x${string}`,
  reader: ChainReader,
  facts: ChainFacts,
): Promise<PreviewReads> {
  const { currentAllowance, balance: nativeBalance } = facts;
  const oldLimit = currentAllowance ?? (await reader.allowance({ ...plan, owner }));
  const tokenBalance = await ifReadable(reader.tokenBalance(plan.token, owner));
  const tested = await dryRun({ ...plan, owner }, reader, () => Promise.resolve(oldLimit));
  const resetsFirst =
    oldLimit > 0n && (plan.approvesOnlyFromZero || tested.result === 'resets-first');
  const calls = approveCalls(plan, resetsFirst);
  // No node estimates what the token refuses.
  const isRefused = tested.result === 'refused';
  const fee = isRefused ? undefined : await ifReadable(estimateFee(reader, owner, calls));
  const canSign = hasOwnKey(facts);
  // Of an account with EIP-7702 code, somebody else may pay the fee.
  const isPayer = !isDelegatedCode(facts.ownerCode ?? '0x');
  const found = { oldLimit, tokenBalance, nativeBalance, fee, dryRun: tested };
  return { ...found, resetsFirst, canSign, isPayer };
}

function describe(
  options: OnNetwork<EvmPreviewOptions>,
  plan: ApprovalPlan,
  owner: string,
  reads: PreviewReads,
): EvmDelegationPreview {
  const { network, currency, wireAmount } = options;
  const { chainId, token, decimals, spender, units, allowance } = plan;
  const isGasMissing = needsFaucet(reads);
  const { oldLimit, tokenBalance, nativeBalance, fee, resetsFirst } = reads;
  const inCurrency = (value: bigint) => baseUnitsToDecimal(value, decimals);
  return {
    owner,
    chainId,
    network,
    currency,
    token,
    decimals,
    spender,
    amount: inCurrency(units),
    baseUnits: units.toString(),
    isUnlimited: allowance !== units,
    wireAmount: wireAmountOf(units, decimals, wireAmount),
    oldLimit: inCurrency(oldLimit),
    oldLimitBaseUnits: oldLimit.toString(),
    transactions: resetsFirst ? 2 : 1,
    resetsFirst,
    estimatedFee: fee?.toString(),
    nativeBalance: nativeBalance?.toString(),
    needsFaucet: isGasMissing,
    tokenBalance: tokenBalance === undefined ? undefined : inCurrency(tokenBalance),
    problems: findProblems(reads, units, isGasMissing === true && noGas(options, network)),
  };
}

/** Without an estimate, an empty wallet still cannot pay. */
function needsFaucet({ fee, nativeBalance, isPayer }: PreviewReads): boolean | undefined {
  if (nativeBalance === undefined || !isPayer) return undefined;
  if (fee === undefined) return nativeBalance === 0n ? true : undefined;
  return nativeBalance < fee;
}

/**
 * Returns what `delegateEvm` would do with the same options, without opening the wallet: spender,
 * token and amount, the old limit, the fee, and the problems that it would have. A test run on the
 * node finds a token that is paused, blocks the account, or must be reset first.
 *
 * Endpoint: `GET /v1/delegation/chain/config` with `'chain-config'`; otherwise none.
 *
 * @throws RequestValidationError for invalid input.
 * @throws ChainReadError when token, spender or old limit cannot be read. A fee or balance that
 *   cannot be read is `undefined`.
 * @throws ChainError with the codes `wrong_chain` (of the node), `token_decimals_differ`,
 *   `spender_without_code`, `chain_config_unusable`, `spender_not_confirmed`,
 *   and `wallet_failed` when no account of `wallet` is connected.
 * @throws CardPlatformError of the client when the chain configuration cannot be read, and the
 *   signal's reason on abort.
 *
 * @example
 * ```ts
 * import { type EvmNode, previewEvmDelegation } from 'card-platform-sdk/evm';
 *
 * async function show(node: EvmNode, address: string, spender: string) {
 *   const preview = await previewEvmDelegation({
 *     node,
 *     address,
 *     network: 'linea',
 *     currency: 'usdc',
 *     amount: '250',
 *     spender,
 *   });
 *   return `${preview.oldLimit} -> ${preview.amount}, ${preview.transactions} transaction(s)`;
 * }
 * ```
 */
export async function previewEvmDelegation(
  options: EvmPreviewOptions,
): Promise<EvmDelegationPreview> {
  const reader = plainReader(options);
  const owner = checkAddress('address', await ownerOf(options));
  const onNetwork = await withNetwork(options);
  // Nothing is approved here: the preview shows the spender, so that somebody can confirm it.
  const { confirmSpender = () => true } = options;
  const plan = planApproval(await resolveLimit({ ...onNetwork, confirmSpender }));
  if (plan.spender === owner) invalid('spender', 'is the wallet itself');
  const facts = await checkNode({ ...plan, owner, options }, reader);
  const reads = await readChain(plan, owner, reader, facts);
  return describe(onNetwork, plan, owner, reads);
}
