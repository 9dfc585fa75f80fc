import { baseUnitsToDecimal } from '../../contract/formats/decimal.js';
import { invalid } from '../../delegation/check-values.js';
import { BALANCE_BELOW_AMOUNT, noGas } from '../../delegation/preview-problems.js';
import { ifReadable } from '../../delegation/reading-context.js';
import { wireAmountOf } from '../../delegation/submit-proof.js';
import { approveCalls } from '../approval/calls.js';
import { type ApprovalPlan, checkAddress, planApproval } from '../approval/plan.js';
import type { ChainFacts } from '../chain/chain-facts.js';
import { type ChainReader, plainReader } from '../chain/reader.js';
import { checkNode } from '../flow/check-chain.js';
import { type DryRun, dryRun, estimateFee } from '../flow/dry-run.js';
import { type OnNetwork, withNetwork } from '../flow/network.js';
import { resolveLimit } from '../flow/spender.js';
import { toEvmWallet } from '../wallets/to-evm-wallet.js';
import type { EvmDelegationPreview, EvmPreviewOptions, EvmPreviewProblem } from './types.js';

/** What the chain reports for a preview. A field that could not be read is `undefined`. */
type PreviewReads = {
  readonly oldLimit: bigint;
  readonly tokenBalance: bigint | undefined;
  readonly nativeBalance: bigint | undefined;
  readonly fee: bigint | undefined;
  readonly dryRun: DryRun;
  readonly resetsFirst: boolean;
};

/** Returns what would make a delegation fail, or surprise the user; the worst first. */
function findProblems(
  { dryRun, resetsFirst, tokenBalance }: PreviewReads,
  units: bigint,
  noGas: EvmPreviewProblem | false,
): EvmPreviewProblem[] {
  const found: (EvmPreviewProblem | false)[] = [
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
  { allowance, balance: nativeBalance }: ChainFacts,
): Promise<PreviewReads> {
  const oldLimit = allowance ?? (await reader.allowance({ ...plan, owner }));
  const tokenBalance = await ifReadable(reader.tokenBalance(plan.token, owner));
  const tested = await dryRun({ ...plan, owner }, reader, () => Promise.resolve(oldLimit));
  const resetsFirst =
    oldLimit > 0n && (plan.approvesOnlyFromZero || tested.result === 'resets-first');
  const calls = approveCalls(plan, resetsFirst);
  // No node estimates what the token refuses.
  const isRefused = tested.result === 'refused';
  const fee = isRefused ? undefined : await ifReadable(estimateFee(reader, owner, calls));
  return { oldLimit, tokenBalance, nativeBalance, fee, dryRun: tested, resetsFirst };
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
function needsFaucet({ fee, nativeBalance }: PreviewReads): boolean | undefined {
  if (nativeBalance === undefined) return undefined;
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
