import { throwIfAborted } from '../contract/formats/abort-reason.js';
import { hostOf } from '../transport/adapters/runtime.js';
import {
  adoptEqualLimit,
  confirmAndVerify,
  forgetRefused,
  recoverApproval,
  sendApproval,
} from './approval.js';
import { AllowanceRacedError, ApprovalMismatchError } from './approval-errors.js';
import { MIN_TIME_TO_APPROVE_MS, MIN_TIME_TO_SUBMIT_MS } from './delegation-token.js';
import type { ChainCheck, DelegationDriver } from './driver.js';
import { isChainError } from './is-chain-error.js';
import { requireFunds } from './network-fee.js';
import type { DelegationOptions, DelegationResult, RevocationResult } from './options.js';
import { isRegistered } from './registered-wallets.js';
import { DelegationRun } from './run.js';
import { isRegistration } from './saved-state.js';
import { browserLocks, singleFlight } from './single-flight.js';
import type { Registration } from './state.js';
import type { StateKeeper } from './state-keeper.js';
import { submitProof } from './submit-proof.js';
import { prepareTokenAndMessage, requireTimeLeft } from './token-and-message.js';

/**
 * Runs a delegation from token to registered wallet, or continues from a saved state.
 *
 * One run asks the wallet at most once to sign and once to approve, apart from a switch of the network
 * and a reset of the old limit. A resumed flow whose approval was sent continues from there. It asks
 * for another one only if the first can no longer have an effect. If the token has expired, it needs a
 * new token and a new signature.
 *
 * @throws ChainError for failures of wallet and chain, the client's own errors for failures of the
 * service, and the signal's reason on abort. `delegationStateOf(error)` is the state to resume from.
 *
 * @param keeper keeps the state, and has the one to continue from. Default: the caller does.
 */
export async function runDelegation(
  driver: DelegationDriver,
  options: DelegationOptions,
  keeper?: StateKeeper,
): Promise<DelegationResult> {
  // Only a driver that is `isChainOnly` submits nothing.
  return (await runAlone(driver, options, keeper)) as DelegationResult;
}

/** Runs a driver that sets the limit to zero. One that is `isChainOnly` submits nothing. */
export async function runRevocation(
  driver: DelegationDriver,
  options: DelegationOptions,
): Promise<RevocationResult> {
  // A limit that is zero already is revoked again, so that there is a transaction.
  return (await runAlone(driver, options)) as RevocationResult;
}

type Result = Omit<DelegationResult, 'registration'> & Pick<RevocationResult, 'registration'>;

/** Runs the flow while no other one runs for this wallet, asset and spender. */
async function runAlone(
  driver: DelegationDriver,
  options: DelegationOptions,
  keeper?: StateKeeper,
): Promise<Result> {
  const flight = {
    key: `${driver.savedState.kind} ${driver.lockKey}`,
    client: options.client,
    request: JSON.stringify(driver.request),
    listener: options.onProgress,
    signal: options.signal,
    locks: options.runtime?.locks ?? browserLocks(),
  };
  // Locks of a server are those of one process, which proves nothing about the others.
  const areShared = options.runtime?.locks !== undefined || hostOf() === 'browser';
  return singleFlight(flight, async (listener, isLocked) => {
    if (keeper === undefined) return runToEnd(new DelegationRun(driver, options, listener));
    const resume = await keeper.open(driver, isLocked && areShared, options.signal);
    let isDone = false;
    try {
      const run = new DelegationRun(driver, { ...options, resume }, listener, keeper);
      const result = await runToEnd(run);
      isDone = true;
      return result;
    } finally {
      await keeper.close(isDone);
    }
  });
}

/** Runs every step that is left. An error gets the state to resume from. */
async function runToEnd(run: DelegationRun): Promise<Result> {
  try {
    throwIfAborted(run.options.signal);
    if (!(await finishIfRegistered(run))) await delegate(run);
    run.step = 'done';
    run.emit('done', run.messages.done[1]);
    return resultOf(run);
  } catch (error) {
    run.fail(error);
    throw error;
  }
}

/**
 * Finishes the run if the service registered the wallet in an earlier one, and returns whether it did.
 * It may have if the state says so, or if the response to the proof was lost. The state alone proves nothing, so the flow checks the
 * service's list of wallets and the transaction on the chain. A limit that is zero counts as spent; a
 * larger one, or a revoked one that was set again, ends the run with `AllowanceRacedError`. If the wallet is not in the
 * list, the proof is submitted again.
 */
async function finishIfRegistered(run: DelegationRun): Promise<boolean> {
  const { proof, approval } = run.state;
  if (proof === undefined || run.driver.isChainOnly === true) return false;
  run.update({ proof: 'submitting' });
  const transactionId = approval?.transactionId;
  if (transactionId === undefined || !(await isRegistered(run, 1))) return false;
  if (!(await isStillThere(run, transactionId))) return false;
  run.update({ approval: { status: 'verified', transactionId } });
  finish(run, 'found-in-wallets');
  run.skip('proof-submitted');
  return true;
}

/**
 * Verifies a registered approval and the limit that is left. If a reorganization removed the approval, the
 * flow waits for it again.
 */
async function isStillThere(run: DelegationRun, transactionId: string): Promise<boolean> {
  try {
    await run.runStep('verified', () => run.driver.verify(transactionId, run));
    return true;
  } catch (error) {
    if (hidesLimit(run, error) || wasSpent(run, error)) return true;
    if (error instanceof ApprovalMismatchError && error.field === 'transaction') return false;
    throw error;
  }
}

/** Problems of the token account itself, which is read after the transaction was compared. */
const SINCE_APPROVAL: readonly string[] = ['frozen', 'not_found', 'wrong_owner', 'wrong_mint'];

/** Whether the token account was frozen or closed since, which undoes no registration. */
function hidesLimit(run: DelegationRun, error: unknown): boolean {
  const isSince =
    isChainError(error, 'token_account_unusable') && SINCE_APPROVAL.includes(error.reason);
  return isSince && run.driver.proof.isRevocation !== true;
}

/** Whether a limit is zero because it was spent. That of a revocation is zero, or it was set again. */
function wasSpent(run: DelegationRun, error: unknown): boolean {
  const isZero = error instanceof AllowanceRacedError && error.actual === '0';
  return isZero && run.driver.proof.isRevocation !== true;
}

/** The steps in their order: token and message, approval, proof. An earlier run may have done some. */
async function delegate(run: DelegationRun): Promise<void> {
  await recoverApproval(run);
  if (run.driver.isChainOnly === true) return approveOnly(run);
  let transactionId = run.state.approval && (await verifyEarlier(run));
  if (isRegistration(run.state.proof)) return;
  const { currentLimit, canPay } = await checkChain(run);
  if (transactionId === undefined) {
    transactionId = await adoptEqualLimit(run, currentLimit);
    if (run.isAlreadySet) return forgetSecrets(run);
  }
  if (transactionId !== undefined) {
    // What is on the chain needs no fee.
    run.canPay = true;
    run.skip('approval-sent');
    await prepareTokenAndMessage(run, MIN_TIME_TO_SUBMIT_MS);
    try {
      return await register(run, transactionId);
    } catch (error) {
      if (!forgetRefused(run, transactionId, error)) throw error;
    }
  }
  run.canPay = canPay;
  requireFunds(run);
  await prepareTokenAndMessage(run, MIN_TIME_TO_APPROVE_MS);
  requireTimeLeft(run, MIN_TIME_TO_APPROVE_MS);
  await sendApproval(run);
  await register(run, await confirmAndVerify(run));
}

function checkChain(run: DelegationRun): Promise<ChainCheck> {
  return run.runStep('chain-check', () => run.driver.checkChain(run));
}

/** Submits the proof of a verified approval. */
async function register(run: DelegationRun, approved: string): Promise<void> {
  requireTimeLeft(run, MIN_TIME_TO_SUBMIT_MS);
  const wasPosted = run.state.proof === 'submitting';
  // Saved before the request, so that a page closed in between checks before it submits again. If that
  // fails, the flow goes on: the approval is on the chain, where a later run finds it.
  run.update({ proof: 'submitting' });
  await run.saved().catch(() => undefined);
  await run.runStep('proof-submitted', async () => {
    finish(run, await submitProof(run, approved, wasPosted));
  });
}

/** Changes the chain, and leaves the service as it is. */
async function approveOnly(run: DelegationRun): Promise<void> {
  if (run.state.approval === undefined) {
    run.canPay = (await checkChain(run)).canPay;
    requireFunds(run);
  }
  await sendApproval(run);
  await confirmAndVerify(run);
  run.update({ proof: undefined, token: undefined, message: undefined });
}

/**
 * Verifies the approval of an earlier run. If the service has the wallet registered with the limit, a
 * limit that is gone was spent, and not changed by another transaction.
 */
async function verifyEarlier(run: DelegationRun): Promise<string> {
  try {
    return await confirmAndVerify(run);
  } catch (error) {
    const { approval } = run.state;
    if (!(error instanceof AllowanceRacedError) || approval?.transactionId === undefined)
      throw error;
    if (!wasSpent(run, error) || !(await isRegistered(run, 1))) throw error;
    run.update({ approval: { status: 'verified', transactionId: approval.transactionId } });
    finish(run, 'found-in-wallets');
    run.skip('proof-submitted');
    return approval.transactionId;
  }
}

/** Token and message are used up, so the final state keeps no secret. */
function finish(run: DelegationRun, registration: Registration): void {
  run.update({ proof: registration, token: undefined, message: undefined });
}

/** An earlier run may have got a token that this one does not need. */
function forgetSecrets(run: DelegationRun): void {
  run.update({ token: undefined, message: undefined });
}

function resultOf(run: DelegationRun): Result {
  const { registeredAmount, isAlreadySet } = run;
  const transactionId = run.state.approval?.transactionId;
  const submitted = isAlreadySet ? 'found-in-wallets' : run.state.proof;
  const proof = run.driver.isChainOnly === true ? 'not-submitted' : submitted;
  const isDone = isAlreadySet || transactionId !== undefined;
  if (!(proof === 'not-submitted' || isRegistration(proof)) || !isDone) {
    throw new Error('the delegation is not done');
  }
  const { address, network, currency, amount } = run.driver.proof;
  return {
    registration: proof,
    address,
    network,
    currency,
    amount,
    ...(registeredAmount === undefined ? {} : { registeredAmount }),
    transactionId,
    state: run.state,
  };
}
