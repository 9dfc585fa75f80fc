import type { ChainError } from '../../delegation/chain-error.js';
import { ifReadable } from '../../delegation/if-readable.js';
import type { ReadingContext } from '../../delegation/reading-context.js';
import { encodeTransaction } from '../transaction.js';
import { buildInstruction } from './build-instruction.js';
import { computeBudget } from './compute-budget.js';
import type { SolanaPlan } from './plan.js';
import { refusalOfSimulation } from './refusals.js';

/** The result of trying an approval. */
export type Simulation = {
  dryRun: 'passed' | 'failed' | 'not-run';
  problem?: ChainError | undefined;
};

/** Any blockhash: the node replaces it. */
const NO_BLOCKHASH = '1'.repeat(32);

/** Has the node execute the approval without sending it. The wallet is not asked. */
export async function simulateApproval(
  plan: SolanaPlan,
  program: string,
  context: ReadingContext,
): Promise<Simulation> {
  const { commitment } = plan;
  const { node: connection } = plan.options;
  const simulate = connection.simulateTransaction?.bind(connection);
  if (simulate === undefined) return { dryRun: 'not-run' };
  const bytes = encodeTransaction({
    feePayer: plan.wallet.address,
    blockhash: NO_BLOCKHASH,
    instructions: [...computeBudget(plan), buildInstruction(plan, program)],
  });
  const transaction = { message: {}, serialize: () => bytes };
  const config = { commitment, replaceRecentBlockhash: true, sigVerify: false } as const;
  const run = context.read('the simulation', () => simulate(transaction, config));
  const simulated = await ifReadable(run);
  if (simulated === undefined) return { dryRun: 'not-run' };
  const { err, logs } = simulated.value;
  if (err === null || err === undefined) return { dryRun: 'passed' };
  return { dryRun: 'failed', problem: refusalOfSimulation(err, logs ?? []) };
}
