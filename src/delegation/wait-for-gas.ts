import type { DelegationRun } from './run.js';
import { MIN_TIME_TO_APPROVE_MS } from './token-age.js';

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
export async function waitForGas(run: DelegationRun): Promise<void> {
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
