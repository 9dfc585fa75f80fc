import { isApiError, isCardPlatformError } from '../errors/index.js';
import { confirmAndVerify } from './approval.js';
import { endedWithoutApproval } from './approval-errors.js';
import { isChainError } from './is-chain-error.js';
import { isRegistered } from './registered-wallets.js';
import type { DelegationRun } from './run.js';

/**
 * Uses the limit on the chain if it already is the requested one, so that nobody pays a second fee. If
 * the service has it too, the delegation is done (`isAlreadySet`). Otherwise this returns the verified
 * approval that set it, whose proof is all that is missing; `undefined` if it cannot be found.
 *
 * A revocation is always sent: a limit of zero does not show whether the service knows.
 *
 * @param limit what the spender may spend now, in base units
 */
export async function adoptEqualLimit(
  run: DelegationRun,
  limit: bigint | undefined,
): Promise<string | undefined> {
  const { driver, options } = run;
  const { units, allowance = units } = driver.limit;
  const isWanted = driver.proof.isRevocation !== true && options.approveAgain !== true;
  const isEqual = (found: bigint | undefined) => found === allowance;
  if (!isWanted || !isEqual(limit) || run.notes()['refused'] !== undefined) return undefined;
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
 * user who must log in, or while the service cannot be reached.
 */
export function forgetRefused(run: DelegationRun, transactionId: string, error: unknown): boolean {
  if (run.notes()['adopted'] !== transactionId || !isRefusal(error)) return false;
  run.saveNotes({ adopted: undefined, refused: transactionId });
  run.update({ approval: undefined, proof: undefined });
  run.report('The earlier approval was not accepted, so your wallet is asked for a new one.');
  return true;
}

/** Statuses with which the service refuses what a request says, whoever sends it. */
const REFUSALS: readonly number[] = [400, 422];

function isRefusal(error: unknown): boolean {
  if (!isCardPlatformError(error) || error.outcome !== 'rejected') return false;
  if (isApiError(error)) return REFUSALS.includes(error.status);
  // The client may be of the other module format, so its classes are others.
  return error.code === 'proof_refused' || error.name === 'OperationRejectedError';
}
