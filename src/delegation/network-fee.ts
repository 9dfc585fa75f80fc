import { LISTS } from '../contract/lists.js';
import { MIN_TIME_TO_APPROVE_MS } from './delegation-token.js';
import type { DelegationOptions } from './options.js';
import type { DelegationRun } from './run.js';
import { insufficientFunds } from './wallet-errors.js';

const FAUCET_NETWORKS: readonly string[] = LISTS.faucetNetworks;

/**
 * Whether the faucet may be asked for the network fee: by default on the networks where the contract
 * has one, unless somebody else pays the fee.
 */
export function mayUseFaucet(
  { faucet, checkFunds }: Pick<DelegationOptions, 'faucet' | 'checkFunds'>,
  network: string,
): boolean {
  return faucet ?? (checkFunds !== false && FAUCET_NETWORKS.includes(network));
}

/** Whether the faucet can still be asked: once for each delegation, with a token. */
function mayAskFaucet({ options, state, driver }: DelegationRun): boolean {
  const { proof, isChainOnly } = driver;
  return mayUseFaucet(options, proof.network) && !state.faucetAsked && isChainOnly !== true;
}

/** Whether the wallet needs the faucet, so that a saved token is of no use. */
export function needsFaucet(run: DelegationRun): boolean {
  return run.canPay === false && mayAskFaucet(run);
}

/** Whether the next token is requested with the faucet: also without proof, if the caller wants it. */
export function shouldAskFaucet(run: DelegationRun): boolean {
  const isUnknown = run.canPay === undefined && run.options.faucet === true;
  return needsFaucet(run) || (isUnknown && mayAskFaucet(run));
}

/**
 * Requires coins for the network fee, in the wallet or promised by the faucet, or that the faucet can
 * still be asked. A wallet whose coins could not be read is asked anyway.
 *
 * @throws ChainError with the code `insufficient_funds`
 */
export function requireFunds(run: DelegationRun): void {
  const { canPay, options, state } = run;
  if (canPay !== false || options.checkFunds === false) return;
  if (state.faucetExpected !== true && !mayAskFaucet(run)) throw insufficientFunds();
}

const FAUCET_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
/** Ends the wait if the clock stands still. */
const MAX_LOOKS = 200;

/**
 * Waits for the coins that the faucet has promised, so that the wallet is not asked to send a
 * transaction whose fee it cannot pay. It never fails the flow: after the time limit, or when the
 * token gets too old, the wallet is asked anyway. A resumed flow waits once more only if an earlier
 * run did not end the wait.
 */
export async function waitForFee(run: DelegationRun): Promise<void> {
  const { driver, options } = run;
  if (run.state.faucetExpected !== true || driver.hasGas === undefined) return;
  const limit = options.faucetTimeout ?? FAUCET_TIMEOUT_MS;
  const start = run.now();
  const canPay = () => run.readOptional(() => driver.hasGas?.(run));
  let hasGas = await canPay();
  if (!hasGas) run.report('Waiting for the network fee to arrive in your wallet.');
  for (let pause = FIRST_PAUSE_MS, look = 1; !hasGas && look <= MAX_LOOKS; look++) {
    const left = Math.min(
      limit - (run.now() - start),
      run.tokenTimeLeft() - MIN_TIME_TO_APPROVE_MS,
    );
    if (left <= 0) break;
    await run.sleep(Math.min(pause, left));
    hasGas = await canPay();
    if (hasGas) run.report('The network fee has arrived in your wallet.');
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
  if (!hasGas)
    run.report('The network fee has not arrived yet, so your wallet may have to pay it.');
  run.update({ faucetExpected: undefined });
}
