import { baseUnitsToDecimal } from '../../contract/formats/decimal.js';
import { ifReadable } from '../../delegation/if-readable.js';
import { invalid } from '../../delegation/invalid.js';
import { wireAmountOf } from '../../delegation/wire-amount.js';
import { approveCalls } from '../approval/calls.js';
import { type ApprovalPlan, checkAddress, planApproval } from '../approval/plan.js';
import { estimateFee } from '../chain/network-fee.js';
import { plainReader } from '../chain/plain-reader.js';
import type { ChainReader } from '../chain/reader.js';
import { checkPlace } from '../flow/check-chain.js';
import { dryRun } from '../flow/dry-run.js';
import { resolveLimit } from '../flow/spender.js';
import { toEvmWallet } from '../wallets/to-evm-wallet.js';
import { findProblems, type PreviewReads } from './problems.js';
import type { EvmDelegationPreview, EvmPreviewOptions } from './types.js';

/** The work of `previewEvmDelegation`. */
export async function runPreview(options: EvmPreviewOptions): Promise<EvmDelegationPreview> {
  const reader = plainReader(options);
  const owner = checkAddress('address', await ownerOf(options));
  const plan = planApproval(await resolveLimit(options));
  if (plan.spender === owner) invalid('spender', 'is the wallet itself');
  await checkPlace({ ...plan, options }, reader);
  const reads = await readChain(plan, owner, reader);
  return describe(options, plan, owner, reads);
}

async function ownerOf({ wallet, address }: EvmPreviewOptions): Promise<string> {
  if (wallet !== undefined) return (await toEvmWallet(wallet, address)).address;
  return address ?? invalid('address', 'is needed without a wallet');
}

async function readChain(
  plan: ApprovalPlan,
  owner: `0x${string}`,
  reader: ChainReader,
): Promise<PreviewReads> {
  const [oldLimit, tokenBalance, nativeBalance] = await Promise.all([
    reader.allowance({ ...plan, owner }),
    ifReadable(reader.tokenBalance(plan.token, owner)),
    ifReadable(reader.balance(owner)),
  ]);
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
  { network, currency, wireAmount }: EvmPreviewOptions,
  plan: ApprovalPlan,
  owner: string,
  reads: PreviewReads,
): EvmDelegationPreview {
  const { chainId, token, decimals, spender, units, allowance } = plan;
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
    needsFaucet: needsFaucet(reads),
    tokenBalance: tokenBalance === undefined ? undefined : inCurrency(tokenBalance),
    problems: findProblems(reads, units, needsFaucet(reads)),
  };
}

/** Without an estimate, an empty wallet still cannot pay. */
function needsFaucet({ fee, nativeBalance }: PreviewReads): boolean | undefined {
  if (nativeBalance === undefined) return undefined;
  if (fee === undefined) return nativeBalance === 0n ? true : undefined;
  return nativeBalance < fee;
}
