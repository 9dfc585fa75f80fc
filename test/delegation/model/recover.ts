import { isChainError } from '../../../src/delegation/is-chain-error.js';
import { checkWorld } from './judge.js';
import { OWNER } from './ledger.js';
import { play } from './moves.js';
import { click, type Planted } from './start.js';
import type { World } from './world.js';

/** A user does not try more often than this. */
const MAX_TRIES = 8;

/**
 * Everything works again: the user has the right account and chain, confirms every prompt, and
 * resumes from the newest state until the wallet is registered.
 *
 * @throws Error when it never is
 */
export async function recover(world: World, planted?: Planted): Promise<void> {
  world.chain.isCongested = false;
  world.chain.failsNext = false;
  world.wallet.account = OWNER;
  world.wallet.chain = world.chain;
  world.misleadingReads = 0;
  await world.runToEnd();
  while (world.pending.length > 0) await world.settle(0, 0);
  checkWorld(world);
  for (const _ of world.prompts) await play(world, { do: 'answer left prompt', declines: false });
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    world.wallet.fillGap();
    await click(world, 0, { newest: true }, true, planted);
    await world.runToEnd();
    checkWorld(world);
    const { outcome } = world.runs.at(-1) ?? {};
    if (outcome === undefined) throw new Error('the last run has no end');
    if ('result' in outcome) return;
    const { error } = outcome;
    if (isChainError(error, 'approval_mismatch') && error.approvedAmount !== undefined) {
      world.amount = BigInt(error.approvedAmount);
    }
    if (tries > 2 && isContested(world, error)) return;
    // Everything that is unknown now is known after all prompts and tokens have expired.
    world.advance(60_000);
  }
  const { outcome } = world.runs.at(-1) ?? {};
  throw new Error('the proof is lost: the wallet is never registered', { cause: outcome });
}

/** Whether the flow refuses to continue because the user has set another limit in the meantime. */
function isContested(world: World, error: unknown): boolean {
  const mayRefuse =
    isChainError(error, 'allowance_raced') || isChainError(error, 'approval_mismatch');
  return world.isContested && mayRefuse;
}
