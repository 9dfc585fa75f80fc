import { baseUnitsToDecimal } from '../../contract/formats/decimal.js';
import { AllowanceRacedError, endedWithoutApproval } from '../../delegation/approval-errors.js';
import type { DriverContext } from '../../delegation/driver.js';
import { approveCall, approveCalls } from '../approval/calls.js';
import { estimateFee } from '../chain/network-fee.js';
import type { ChainReader } from '../chain/reader.js';
import { requestTransaction } from '../wallets/wallet-requests.js';
import { checkWalletChain } from './check-chain.js';
import { confirm } from './confirm.js';
import { approvalRefused, type DryRun, dryRun } from './dry-run.js';
import type { EvmPlan } from './plan.js';
import { readSettled } from './read-settled.js';
import { settlePending } from './settle-pending.js';

/** Checks and sends the approval of one run of the flow. */
export class ApprovalSender {
  readonly #plan: EvmPlan;
  #dryRun: DryRun | undefined;
  #fee: bigint | undefined;

  constructor(plan: EvmPlan) {
    this.#plan = plan;
  }

  /**
   * Tries the approval on the node, before the wallet is asked to sign. A flow that may have asked the
   * wallet to send already does that later: its own approval can be what the token objects to.
   *
   * @param hasPassed whether it passed when the token was read, so that it is not tried again
   * @throws ChainError with the code `approval_would_revert`
   */
  async check(reader: ChainReader, context: DriverContext, hasPassed?: boolean): Promise<void> {
    if (context.notes()['sentAfter'] !== undefined) return;
    if (hasPassed === true) this.#dryRun = { result: 'passes' };
    await this.#tryOnce(reader);
  }

  /** Whether the account can pay the estimated fee; any coins count where the node estimates none. */
  async hasGas(reader: ChainReader): Promise<boolean> {
    const { owner } = this.#plan;
    const calls = approveCalls(this.#plan, this.#dryRun?.result === 'resets-first');
    this.#fee ??= await estimateFee(reader, owner, calls).catch(() => undefined);
    return (await reader.balance(owner)) >= (this.#fee ?? 1n);
  }

  /** Sets the allowance to zero where the token needs that, then asks for the approval. */
  async send(reader: ChainReader, context: DriverContext): Promise<void> {
    await this.#tryOnce(reader);
    const isResetting = context.notes()['reset'] !== undefined;
    if (this.#needsReset() || isResetting) await clearAllowance(this.#plan, reader, context);
    await prepareToSend(this.#plan, reader, context);
    await context.promptApproval(() =>
      requestTransaction(this.#plan.wallet, approveCall(this.#plan)),
    );
  }

  async #tryOnce(reader: ChainReader): Promise<void> {
    if (this.#plan.options.dryRun === false) return;
    this.#dryRun ??= await dryRun(this.#plan, reader);
    if (this.#dryRun.result === 'refused') throw approvalRefused(this.#dryRun.reason);
  }

  #needsReset(): boolean {
    const { approvesOnlyFromZero, allowance } = this.#plan;
    return allowance > 0n && (approvesOnlyFromZero || this.#dryRun?.result === 'resets-first');
  }
}

async function clearAllowance(
  plan: EvmPlan,
  reader: ChainReader,
  context: DriverContext,
): Promise<void> {
  const { token, owner, spender } = plan;
  const earlier = context.notes()['reset'];
  if (earlier === undefined) await settlePending(plan, reader, context);
  const before = await reader.allowance(token, owner, spender, 'latest');
  if (before > 0n || earlier !== undefined) await reset(plan, reader, context, before);
}

async function reset(
  plan: EvmPlan,
  reader: ChainReader,
  context: DriverContext,
  before: bigint,
): Promise<void> {
  const call = approveCall(plan, 0n);
  let sent = context.notes()['reset'];
  if (sent === undefined) {
    await prepareToSend(plan, reader, context);
    const send = async () => {
      const hash = await requestTransaction(plan.wallet, call);
      context.saveNotes({ reset: hash });
      return hash;
    };
    const words = 'Confirm in your wallet that the old limit is set to zero first.';
    sent = await context.prompt(send, words, 'unknown');
  }
  context.report('Waiting until the old limit is zero.', sent);
  const { receipt } = await confirm(plan, reader, context, call, sent).catch((error) => {
    if (endedWithoutApproval(error)) context.saveNotes({ reset: undefined });
    throw error;
  });
  context.saveNotes({ reset: undefined });
  await reportSpending(plan, reader, context, before, receipt.blockNumber);
  const { token, owner, spender } = plan;
  const after = await readSettled(
    plan,
    context,
    () => reader.allowance(token, owner, spender, 'latest'),
    (units) => units === 0n,
  );
  if (after !== 0n) throw new AllowanceRacedError(0n, after, 'not_sent');
}

/** Reports what was spent of the old limit before it was reset. */
async function reportSpending(
  plan: EvmPlan,
  reader: ChainReader,
  context: DriverContext,
  before: bigint,
  block: bigint,
): Promise<void> {
  const { token, owner, spender, decimals } = plan;
  const last = await reader.allowance(token, owner, spender, block - 1n).catch(() => before);
  if (last >= before) return;
  const spent = baseUnitsToDecimal(before - last, decimals);
  context.report(`${spent} of the old limit was spent before it was set to zero.`);
}

/**
 * The last check before the wallet is asked, because the user may have switched its chain, and notes
 * by which the transaction can be found whatever happens to its hash: block and next nonce. The note
 * of an approval that failed stays, because the user can decline this one.
 */
async function prepareToSend(
  plan: EvmPlan,
  reader: ChainReader,
  context: DriverContext,
): Promise<void> {
  await checkWalletChain(plan, context);
  const block = await reader.blockNumber();
  const nonce = await reader.transactionCount(plan.owner, 'pending');
  context.saveNotes({
    sentAfter: block.toString(),
    nextNonce: nonce.toString(),
    nonce: undefined,
    missing: undefined,
    approved: undefined,
  });
}
