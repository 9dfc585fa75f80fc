import { baseUnitsToDecimal } from '../../contract/formats/decimal.js';
import {
  AllowanceRacedError,
  ApprovalUnknownError,
  endedWithoutApproval,
} from '../../delegation/approval-errors.js';
import { ChainError } from '../../delegation/chain-error.js';
import type { ChainCheck } from '../../delegation/driver.js';
import { ifReadable } from '../../delegation/reading-context.js';
import { ChainReadError } from '../../delegation/wallet-errors.js';
import { approveCall, approveCalls, type EvmCall } from '../approval/calls.js';
import type { ChainFacts } from '../chain/chain-facts.js';
import {
  nonceOf,
  refusalOfNode,
  requestSigned,
  requestTransaction,
  type SignedTransaction,
} from '../wallets/wallet-requests.js';
import { checkWalletChain, isDelegatedCode } from './check-chain.js';
import { confirm, hasDisappeared } from './confirm.js';
import { approvalRefused, type DryRun, dryRun, estimateFee, isPlenty } from './dry-run.js';
import type { EvmPlan, EvmRun } from './plan.js';
import { readSettled } from './read-settled.js';

/**
 * Waits until no transaction of the owner is pending, if an earlier run has asked the wallet for one:
 * its response can be lost, and a second reset of the limit would cost a second fee.
 *
 * @throws ApprovalUnknownError when one stays pending, unless the caller set `approveAgain`
 */
async function settlePending({ plan, reader, context }: EvmRun): Promise<void> {
  const { owner, options, confirmationTimeout, pollingInterval } = plan;
  if (context.notes()['nextNonce'] === undefined || options.approveAgain === true) return;
  const start = context.now();
  for (;;) {
    const mined = await reader.transactionCount(owner, 'latest');
    if ((await reader.transactionCount(owner, 'pending')) <= mined) return;
    if (context.now() - start >= confirmationTimeout) {
      throw new ApprovalUnknownError('a transaction of the wallet is still pending');
    }
    await context.sleep(pollingInterval);
  }
}

/** Checks and sends the approval of one run of the flow. */
export class ApprovalSender {
  #dryRun: DryRun | undefined;
  #fee: bigint | undefined;
  /** The limit on the chain before the approval; `undefined` if it was not read. */
  #oldLimit: bigint | undefined;

  /**
   * Tries the approval on the node, before the wallet is asked to sign. A flow that may already have
   * asked the wallet to send does that later: its own approval can be what the token objects to.
   *
   * @throws ChainError with the code `approval_would_revert`
   */
  async check(run: EvmRun, facts: ChainFacts): Promise<ChainCheck> {
    const { currentAllowance, balance, ownerCode = '0x' } = facts;
    this.#oldLimit = currentAllowance;
    // Of an account with EIP-7702 code, somebody else may pay the fee.
    const isPayer = !isDelegatedCode(ownerCode);
    const needsFee = isPayer && balance !== undefined && balance > 0n;
    const isTried = run.context.notes()['sentAfter'] === undefined;
    const [price] = await Promise.all([
      needsFee ? ifReadable(run.reader.gasPrice()) : undefined,
      isTried && this.#tryOnce(run),
    ]);
    const canPay = isPayer ? await this.#canPay(run, balance, price) : undefined;
    return { currentLimit: currentAllowance, canPay };
  }

  /** Whether the coins pay the fee. Its gas is estimated only if they may be too few. */
  async #canPay(
    run: EvmRun,
    balance: bigint | undefined,
    price: bigint | undefined,
  ): Promise<boolean | undefined> {
    if (balance !== undefined && price !== undefined) {
      if (isPlenty(balance, price)) return true;
      await this.#estimate(run, price);
    }
    return this.#isEnough(balance);
  }

  /** Whether the account can pay the estimated fee; any coins count where the node estimates none. */
  async hasGas(run: EvmRun): Promise<boolean> {
    if (this.#fee === undefined) await this.#estimate(run);
    return this.#isEnough(await run.reader.balance(run.plan.owner)) ?? true;
  }

  /** `undefined` if coins or fee are not known. An empty account can pay nothing. */
  #isEnough(balance: bigint | undefined): boolean | undefined {
    if (balance === 0n) return false;
    return balance === undefined || this.#fee === undefined ? undefined : balance >= this.#fee;
  }

  async #estimate({ plan, reader }: EvmRun, price?: bigint): Promise<void> {
    const calls = approveCalls(plan, this.#needsReset(plan) && this.#oldLimit !== 0n);
    this.#fee = await ifReadable(estimateFee(reader, plan.owner, calls, price));
  }

  /** Sets the allowance to zero where the token needs that, then asks for the approval. */
  async send(run: EvmRun): Promise<void> {
    const { plan, context } = run;
    await this.#tryOnce(run);
    const isResetting = context.notes()['reset'] !== undefined;
    if (this.#needsReset(plan) || isResetting) await clearAllowance(run);
    await prepareToSend(run);
    await context.promptApproval(() => requestCall(run, approveCall(plan)));
  }

  async #tryOnce({ plan, reader }: EvmRun): Promise<void> {
    if (plan.options.dryRun === false) return;
    const oldLimit = this.#oldLimit;
    const known = oldLimit === undefined ? undefined : async () => oldLimit;
    this.#dryRun ??= await dryRun(plan, reader, known);
    if (this.#dryRun.result === 'refused') throw approvalRefused(this.#dryRun.reason);
  }

  #needsReset({ approvesOnlyFromZero, allowance }: EvmPlan): boolean {
    return allowance > 0n && (approvesOnlyFromZero || this.#dryRun?.result === 'resets-first');
  }
}

/**
 * Asks the wallet for a transaction and returns its hash. Where the account signs by itself, the hash
 * is saved before the transaction is sent.
 *
 * @param save called with the hash, or with `undefined` if a node refused the transaction
 */
async function requestCall(
  run: EvmRun,
  call: EvmCall,
  save: (hash: string | undefined) => void = () => undefined,
): Promise<string> {
  const { wallet } = run.plan;
  const { context } = run;
  const sign = wallet.signTransaction?.bind(wallet);
  if (sign === undefined || wallet.sendSigned === undefined) {
    return requestTransaction(wallet, call);
  }
  const signed = await requestSigned(sign, call);
  // A transaction signed after the flow has ended is never sent: a resumed flow asks again.
  context.requireRunning();
  const nonce = nonceOf(signed.raw);
  context.saveNotes({ raw: signed.raw, ...(nonce === undefined ? {} : { nonce: `${nonce}` }) });
  save(signed.hash);
  // A caller that saves the progress has the hash before a node has the transaction.
  context.report('Sending the transaction.', signed.hash);
  try {
    await context.saved();
    await broadcast(run, call, signed);
  } catch (error) {
    save(undefined);
    throw error;
  }
  return signed.hash;
}

/**
 * Sends a signed transaction. If it gets lost, `confirm` sends it again.
 *
 * @throws ChainError when a node refuses it and no node knows it
 */
async function broadcast(run: EvmRun, call: EvmCall, { raw, hash }: SignedTransaction) {
  const { plan, reader, context } = run;
  const send = async () => {
    try {
      await plan.wallet.sendSigned?.(raw);
    } catch (error) {
      throw refusalOfNode(error, call) ?? error;
    }
  };
  try {
    await context.read('sending the transaction', send);
  } catch (error) {
    if (error instanceof ChainReadError || !(error instanceof ChainError)) return;
    if ((await reader.transaction(hash).catch(() => null)) !== null) return;
    const isApproval = call.data === approveCall(plan).data;
    context.saveNotes({ raw: undefined, nonce: undefined, ...(isApproval ? { ended: hash } : {}) });
    throw error;
  }
}

async function clearAllowance(run: EvmRun): Promise<void> {
  const { plan, reader, context } = run;
  let earlier = context.notes()['reset'];
  if (earlier !== undefined && (await hasDisappeared(run, approveCall(plan, 0n), earlier))) {
    context.report('The network has dropped the reset of the old limit.', earlier);
    context.saveNotes({ reset: undefined, missing: undefined });
    earlier = undefined;
  }
  if (earlier === undefined) await settlePending(run);
  const before = await reader.allowance(plan);
  if (before > 0n || earlier !== undefined) await reset(run, before);
}

async function reset(run: EvmRun, before: bigint): Promise<void> {
  const { plan, reader, context } = run;
  const call = approveCall(plan, 0n);
  let sent = context.notes()['reset'];
  if (sent === undefined) {
    await prepareToSend(run);
    await context.saved();
    const send = async () => {
      const hash = await requestCall(run, call, (reset) => context.saveNotes({ reset }));
      context.saveNotes({ reset: hash });
      return hash;
    };
    const words = 'Confirm in your wallet that the old limit is set to zero first.';
    sent = await context.prompt(send, words, 'unknown');
  }
  context.report('Waiting until the old limit is zero.', sent);
  const { receipt } = await confirm(run, call, sent).catch((error) => {
    if (endedWithoutApproval(error)) context.saveNotes({ reset: undefined });
    throw error;
  });
  context.saveNotes({ reset: undefined });
  await reportSpending(run, before, receipt.blockNumber);
  const readAllowance = () => reader.allowance(plan);
  const after = await readSettled(run, readAllowance, (units) => units === 0n);
  if (after !== 0n) throw new AllowanceRacedError(0n, after, 'not_sent');
}

/** Reports what was spent of the old limit before it was reset. */
async function reportSpending(
  { plan, reader, context }: EvmRun,
  before: bigint,
  block: bigint,
): Promise<void> {
  const last = await reader.allowance(plan, block - 1n).catch(() => before);
  if (last >= before) return;
  const spent = baseUnitsToDecimal(before - last, plan.decimals);
  context.report(`${spent} of the old limit was spent before it was set to zero.`);
}

/**
 * Checks the wallet's chain just before the wallet is asked, because the user may have switched it.
 * Saves the block and the next nonce, by which the transaction can be found whatever happens to its
 * hash. The note of an approval that failed (`ended`) stays, because the user can decline this one.
 */
async function prepareToSend(run: EvmRun): Promise<void> {
  const { plan, reader, context } = run;
  await checkWalletChain(run);
  const block = await reader.blockNumber();
  const nonce = await reader.transactionCount(plan.owner, 'pending');
  context.saveNotes({
    sentAfter: block.toString(),
    nextNonce: nonce.toString(),
    nonce: undefined,
    raw: undefined,
    sentBy: plan.wallet.signTransaction && plan.wallet.sendSigned ? 'flow' : undefined,
    missing: undefined,
    approved: undefined,
  });
}
