import { CHECK_PROOF } from '../contract/check-proof.js';
import { throwIfAborted } from '../contract/formats/abort-reason.js';
import { baseUnitsToDecimal } from '../contract/formats/decimal.js';
import { type FieldError, isApiError, isCardPlatformError } from '../errors/index.js';
import { hadNoEffect } from './approval-errors.js';
import { invalid } from './check-values.js';
import { unrecorded } from './client.js';
import { MIN_TIME_TO_SUBMIT_MS } from './delegation-token.js';
import type { DelegationDriver, DelegationProof } from './driver.js';
import {
  LimitNotUpdatedError,
  ProofRefusedError,
  ProofUnknownError,
  RevocationNotRegisteredError,
} from './flow-errors.js';
import type { DelegationOptions } from './options.js';
import { findRegisteredLimit, isRegistered, isSameLimit } from './registered-wallets.js';
import type { DelegationRun } from './run.js';
import type { Registration } from './state.js';

/** The unit in which the service gets the limit. */
export type WireAmountUnit = 'currency-units' | 'base-units';

/**
 * The limit as the service gets it.
 *
 * @throws RequestValidationError for an unknown unit: the wrong one changes the limit a millionfold
 */
export function wireAmountOf(units: bigint, decimals: number, unit?: WireAmountUnit): string {
  if (unit === 'base-units') return units.toString();
  if (unit !== undefined && unit !== 'currency-units') {
    return invalid('wireAmount', "must be 'currency-units' or 'base-units'");
  }
  return baseUnitsToDecimal(units, decimals);
}

/**
 * Checks everything that the client checks in the last step, before the first one: otherwise a user
 * would sign and pay for a proof that the client then refuses, for example because its network is
 * not among the client's `additions`. A plain object in place of the client is not checked.
 *
 * @param sample texts with the form of a transaction id and of a signature
 * @throws RequestValidationError naming the option
 */
export async function checkSubmission(
  chain: 'evm' | 'solana',
  { proof, isChainOnly }: DelegationDriver,
  { client, region }: DelegationOptions,
  sample: Pick<DelegationProof, 'txHash' | 'sigHash'>,
): Promise<void> {
  const check = (client.delegation as { [CHECK_PROOF]?: unknown })[CHECK_PROOF];
  if (isChainOnly === true || typeof check !== 'function') return;
  await check.call(client.delegation, chain, {
    ...proof,
    ...sample,
    sigMessage: 'not signed',
    token: 'not-issued',
    ...(region === undefined ? {} : { region }),
    // The message does not exist yet; the flow builds and checks it later.
    ...(chain === 'evm' ? { checkMessage: false } : {}),
  });
}

const MAX_RETRIES = 3;
const RETRY_INTERVAL_MS = 5_000;

/**
 * Submits the proof and handles every outcome. The proof is submitted again only if the service refuses
 * it because the service does not see the confirmation yet.
 *
 * @param wasPosted whether an earlier run submitted it and never read the response
 */
export async function submitProof(
  run: DelegationRun,
  transactionId: string,
  wasPosted: boolean,
): Promise<Registration> {
  try {
    return await submitUntilSeen(run, transactionId, wasPosted);
  } catch (error) {
    throwIfAborted(run.options.signal);
    if (run.driver.proof.isRevocation !== true) throw error;
    throw new RevocationNotRegisteredError(transactionId, error);
  }
}

async function submitUntilSeen(
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
      if (isCardPlatformError(error) && error.code === 'wallet_already_approved') {
        return await alreadyApproved(run, transactionId);
      }
      const refused = hadNoEffect(error);
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

/**
 * The service has the wallet registered. That proves nothing about its limit: it can be that of an
 * earlier approval, which this one was to raise or lower.
 *
 * @throws LimitNotUpdatedError unless the service's list shows the requested limit
 */
async function alreadyApproved(run: DelegationRun, transactionId: string): Promise<Registration> {
  const found = await findRegisteredLimit(run);
  if (isSameLimit(run, found)) return 'already-approved';
  if (found.is !== 'different' && run.options.acceptUnknownLimit === true) {
    return 'already-approved';
  }
  const { amount } = run.driver.proof;
  throw new LimitNotUpdatedError(
    amount,
    found.is === 'different' ? found.shown : undefined,
    transactionId,
  );
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
  const { success } = await run.abortable(Promise.resolve(submit(body, unrecorded(signal))));
  if (success === false) throw new ProofRefusedError(transactionId);
  if (success !== true) throw new TypeError('the response to the proof does not say success');
  return 'accepted';
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
