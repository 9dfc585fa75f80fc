import { isApiError, isCardPlatformError } from '../errors/index.js';
import { ApprovalUnknownError, endedWithoutApproval } from './approval-errors.js';
import { isChainError } from './is-chain-error.js';
import { waitForFee } from './network-fee.js';
import { isRegistered } from './registered-wallets.js';
import type { DelegationRun } from './run.js';

/**
 * Finds the approval that an earlier run requested, without asking the wallet.
 *
 * @throws ApprovalUnknownError when it cannot be found and the caller did not set `approveAgain`.
 */
export async function recoverApproval(run: DelegationRun): Promise<void> {
  const { approval } = run.state;
  if (approval?.transactionId !== undefined) return forgetDisappeared(run, approval.transactionId);
  if (approval === undefined) return continueRestored(run);
  run.step = 'approval-sent';
  const found = await run.driver.findApproval(run);
  if (typeof found === 'object') {
    run.update({ approval: { status: 'sent', transactionId: found.transactionId } });
  } else if (found === 'not-sent' || run.options.approveAgain === true) {
    run.update({ approval: undefined });
  } else {
    throw new ApprovalUnknownError();
  }
}

/** Continues with an approval that had failed or was dropped, if the network brought it back. */
async function continueRestored(run: DelegationRun): Promise<void> {
  const transactionId = await run.driver.findRestored?.(run);
  if (transactionId === undefined) return;
  run.step = 'confirmed';
  run.update({ approval: { status: 'sent', transactionId } });
  run.report('The chain has changed: the earlier approval is valid again.', transactionId);
}

/** Forgets an approval that the chain does not know any more, so that the wallet is asked again. */
async function forgetDisappeared(run: DelegationRun, transactionId: string): Promise<void> {
  run.step = 'confirmed';
  if (!(await run.driver.hasDisappeared(transactionId, run))) return;
  run.report('The network has dropped the approval. Your wallet is asked again.', transactionId);
  run.update({ approval: undefined, proof: undefined });
}

/** Asks the wallet to send the approval, unless an earlier run did. */
export async function sendApproval(run: DelegationRun): Promise<void> {
  if (run.state.approval !== undefined) return run.skip('approval-sent');
  run.step = 'approval-sent';
  await waitForFee(run);
  await run.runStep('approval-sent', () => run.driver.approve(run));
  // It is sent: a store that fails now must not stop the flow.
  await run.saved().catch(() => undefined);
}

/**
 * Waits for the confirmation and compares the executed transaction with the request. A resumed
 * flow does this again, because a saved state proves nothing.
 */
export async function confirmAndVerify(run: DelegationRun): Promise<string> {
  const sent = run.state.approval?.transactionId;
  if (sent === undefined) throw new ApprovalUnknownError();
  const transactionId = await run.runStep('confirmed', () => confirm(run, sent));
  await run.runStep('verified', () => run.driver.verify(transactionId, run));
  run.update({ approval: { status: 'verified', transactionId } });
  return transactionId;
}

async function confirm(run: DelegationRun, sent: string): Promise<string> {
  try {
    const transactionId = await run.driver.confirm(sent, run);
    run.update({ approval: { status: 'confirmed', transactionId } });
    return transactionId;
  } catch (error) {
    if (endedWithoutApproval(error)) run.update({ approval: undefined });
    throw error;
  }
}

/**
 * Uses the limit on the chain if it already is the requested one, so that nobody pays a second fee. If
 * the service has it too, the delegation is done (`isAlreadySet`). Otherwise this returns the verified
 * approval that set it, whose proof is all that is missing; `undefined` if it cannot be found.
 *
 * A revocation is always sent: a limit of zero does not show whether the service knows.
 *
 * @param currentLimit what the spender may spend now, in base units
 */
export async function adoptEqualLimit(
  run: DelegationRun,
  currentLimit: bigint | undefined,
): Promise<string | undefined> {
  const { driver, options } = run;
  const { units, allowance = units } = driver.limit;
  const isWanted = driver.proof.isRevocation !== true && options.approveAgain !== true;
  const isEqual = (found: bigint | undefined) => found === allowance;
  if (!isWanted || !isEqual(currentLimit) || run.notes()['refused'] !== undefined) return undefined;
  if (await isRegistered(run, 1)) {
    // The list takes its time, and the limit may be spent meanwhile.
    run.isAlreadySet = isEqual(await run.readOptional(() => driver.remainingLimit?.(run)));
    if (run.isAlreadySet) run.report('Your wallet has this limit already: nothing is sent.');
    return undefined;
  }
  const transactionId = await run.readOptional(() => driver.findEqualApproval(run));
  return transactionId === undefined ? undefined : await verifyEqual(run, transactionId);
}

/** Verifies an approval of which this flow knew nothing. Whatever is wrong with it, another one is asked for. */
async function verifyEqual(run: DelegationRun, found: string): Promise<string | undefined> {
  run.report('Your wallet has approved this limit already: only the proof is sent.', found);
  run.saveNotes({ adopted: found });
  run.update({ approval: { status: 'sent', transactionId: found } });
  try {
    return await confirmAndVerify(run);
  } catch (error) {
    const isUseless =
      endedWithoutApproval(error) ||
      isChainError(error, 'approval_mismatch') ||
      isChainError(error, 'allowance_raced');
    if (!isUseless) throw error;
    run.saveNotes({ adopted: undefined, refused: found });
    run.update({ approval: undefined });
    return undefined;
  }
}

/**
 * Forgets an adopted approval whose proof the service refused, so that the wallet is asked for a new
 * one. Returns `false` for any other approval, and for any other failure: a new approval does not help a
 * user who must log in or be verified, for a token that has expired, or while the service cannot be
 * reached.
 */
export function forgetRefused(run: DelegationRun, transactionId: string, error: unknown): boolean {
  if (run.notes()['adopted'] !== transactionId || !isRefusal(error)) return false;
  run.saveNotes({ adopted: undefined, refused: transactionId });
  run.update({ approval: undefined });
  run.report('The earlier approval was not accepted, so your wallet is asked for a new one.');
  return true;
}

/** Codes of a refusal of what a request says, whoever sends it: any other one has a reason of its own. */
const REFUSALS: readonly string[] = [
  'bad_request',
  'validation_failed',
  'operation_rejected',
  'proof_refused',
];
/** The fields of a proof that only another approval changes. */
const FIELDS_OF_APPROVAL: readonly string[] = ['txHash', 'amount'];

function isRefusal(error: unknown): boolean {
  if (!isCardPlatformError(error) || error.outcome !== 'rejected') return false;
  if (!REFUSALS.includes(error.code)) return false;
  const fields = isApiError(error) ? error.fieldErrors.map(({ field }) => field) : [];
  return fields.length === 0 || fields.some((field) => FIELDS_OF_APPROVAL.includes(field));
}
