import { throwIfAborted } from '../contract/formats/abort-reason.js';
import { type FieldError, isApiError, isCardPlatformError } from '../errors/index.js';
import { ProofRefusedError, ProofUnknownError } from './flow-errors.js';
import { isRegistered } from './registered-wallets.js';
import type { DelegationRun } from './run.js';
import type { Registration } from './state.js';
import { MIN_TIME_TO_SUBMIT_MS } from './token-age.js';

const MAX_RETRIES = 3;
const RETRY_INTERVAL_MS = 5_000;

/**
 * Submits the proof and handles every outcome. It is submitted again only if the service refuses it
 * because it does not see the confirmation yet.
 *
 * @param wasPosted whether an earlier run submitted it and never read the response
 */
export async function submitProof(
  run: DelegationRun,
  transactionId: string,
  wasPosted: boolean,
): Promise<Registration> {
  for (let tries = 1; ; tries++) {
    run.update({ proof: 'submitting' });
    try {
      return await post(run, transactionId);
    } catch (error) {
      throwIfAborted(run.options.signal);
      if (isApiError(error, 'wallet_already_approved')) return 'already-approved';
      const refused = wasRefused(error);
      if ((!refused || wasPosted) && (await isRegistered(run))) return 'found-in-wallets';
      if (!refused) throw new ProofUnknownError(transactionId, error);
      dropRefusedParts(run, error);
      if (tries > MAX_RETRIES || !isNotConfirmedYet(error)) throw error;
    }
    run.report('The service does not see the confirmation yet; trying again.', transactionId);
    await run.sleep(RETRY_INTERVAL_MS);
    if (run.tokenTimeLeft() < MIN_TIME_TO_SUBMIT_MS) throw new ProofRefusedError(transactionId);
  }
}

async function post(run: DelegationRun, transactionId: string): Promise<Registration> {
  const { token, message } = run.state;
  const { proof, submit } = run.driver;
  const { region, signal } = run.options;
  const body = {
    ...proof,
    txHash: transactionId,
    sigHash: message?.signature ?? '',
    sigMessage: message?.text ?? '',
    token: token?.token ?? '',
    ...(region === undefined ? {} : { region }),
  };
  const { success } = await run.abortable(Promise.resolve(submit(body, { signal })));
  if (success !== true) throw new ProofRefusedError(transactionId);
  return 'accepted';
}

function wasRefused(error: unknown): boolean {
  if (error instanceof ProofRefusedError) return true;
  return (
    isCardPlatformError(error) && (error.outcome === 'rejected' || error.outcome === 'not_sent')
  );
}

function refusedFields(error: unknown): readonly FieldError[] {
  return isApiError(error) ? error.fieldErrors : [];
}

function isNotConfirmedYet(error: unknown): boolean {
  return refusedFields(error).some(
    ({ field, message }) => field === 'txHash' && /confirm|not found|pending/i.test(message),
  );
}

/** A resumed flow replaces what the service refused, and keeps the rest. */
function dropRefusedParts(run: DelegationRun, error: unknown): void {
  const fields = refusedFields(error).map(({ field }) => field);
  run.update({ proof: undefined });
  if (fields.includes('token')) run.update({ token: undefined, message: undefined });
  if (fields.includes('sigMessage') || fields.includes('sigHash'))
    run.update({ message: undefined });
}
