import { inspect } from 'node:util';
import { isChainError } from '../../../src/delegation/is-chain-error.js';
import type { DelegationResult } from '../../../src/delegation/options.js';
import { isCardPlatformError } from '../../../src/errors/index.js';
import type { ToyTransaction } from '../toy-chain/chain.js';
import { TOY_CURRENCY, TOY_NETWORK } from '../toy-chain/plan.js';
import { NODE_KEY, OWNER, type Prompt, type Run, SPENDER } from './ledger.js';
import type { World } from './world.js';

/** The limits of one run: with more waiting or more calls it would never end for a user. */
const MAX_SLEEP_MS = 300_000;
const MAX_INTERACTIONS = 400;
/** Longer than the misleading responses of nodes that may follow one another. */
const SETTLED_MS = 15_000;

/** The transactions of a prompt: the one that was sent, and copies with a higher fee. */
function copiesOf({ wallet }: World, { transaction }: Prompt): ToyTransaction[] {
  if (transaction === undefined) return [];
  const { id, approve } = transaction;
  return wallet.sent.filter(
    (sent) =>
      wallet.originOf(sent.id) === wallet.originOf(id) &&
      sent.approve?.spender === approve?.spender &&
      sent.approve?.amount === approve?.amount,
  );
}

/** The transactions of a prompt that have succeeded on the chain. */
function effectsOf(world: World, prompt: Prompt): string[] {
  const ids = copiesOf(world, prompt).map(({ id }) => id);
  return ids.filter((id) => world.chain.find(id)?.succeeded === true);
}

/** Whether the approval of a prompt is on the chain. */
export function isEffective(world: World, prompt: Prompt): boolean {
  return effectsOf(world, prompt).length > 0;
}

/** Whether the approval of a prompt has no effect, and nothing in progress can give it one. */
export function isDead(world: World, prompt: Prompt): boolean {
  const { chain } = world;
  if (prompt.status === 'declined') return true;
  if (prompt.status === 'open') return (prompt.request.validUntil ?? Infinity) <= chain.height;
  const isPending = copiesOf(world, prompt).some(({ id }) => chain.mempool.has(id));
  return !isPending && !isEffective(world, prompt);
}

/** Checks the rules that hold at every moment. Throws if one is broken. */
export function checkWorld(world: World): void {
  const violations = [...world.violations];
  for (const run of world.runs) {
    const effects = new Set([...run.known].flatMap((prompt) => effectsOf(world, prompt)));
    if (effects.size > 1) violations.push('two approvals of one intention are on the chain');
    if (run.sleptMs > MAX_SLEEP_MS) violations.push('a run waits for too long');
    if (run.interactionCount > MAX_INTERACTIONS) violations.push('a run asks too often');
  }
  for (const page of world.pages) {
    if (page === undefined || world.running.some((run) => run.page === page)) continue;
    if (page.tab.flights.size > 0) violations.push('no run is running, and the page is locked');
    if (world.locks.isHeldBy(page)) violations.push('no run is running, and all tabs are locked');
  }
  if (violations.length > 0) throw new Error(violations.join('; '));
}

/** Checks the rules that hold when a run ends. Adds to the violations of the world. */
export function checkEnd(world: World, run: Run): void {
  const { outcome, page } = run;
  if (outcome === undefined || page.isClosed) return;
  const found =
    'result' in outcome ? checkResult(world, run, outcome.result) : checkError(world, run, outcome);
  world.violations.push(...found);
}

function* checkResult(world: World, run: Run, result: DelegationResult) {
  const amount = run.amount.toString();
  const isRegistered = world
    .registered()
    .some(
      (entry) =>
        entry.allowance === amount &&
        entry.currency === TOY_CURRENCY &&
        entry.network === TOY_NETWORK,
    );
  if (!isRegistered) yield 'a success although the platform has not registered the wallet';
  const isSent = world.wallet.sent.some(
    ({ approve }) => approve?.amount === run.amount && approve.spender === SPENDER,
  );
  if (!isSent) yield 'a success although nobody approved this limit';
  if (result.amount !== amount) yield 'a success with another limit';
  const text = JSON.stringify(result);
  if (secretsOf(world).some((secret) => text.includes(secret))) yield 'a secret in a result';
}

function* checkError(world: World, run: Run, { error }: { error: unknown }) {
  // The first click's signal also ends the flow for the clicks that joined it.
  if (world.runs.some(({ controller }) => isReasonOf(controller.signal, error))) return;
  if (!isCardPlatformError(error)) {
    yield `an error of no known class: ${inspect(error)}`;
    return;
  }
  const { code, outcome, message } = error;
  const text = [message, JSON.stringify(error), inspect(error, { depth: 9 })].join('\n');
  if (secretsOf(world).some((secret) => text.includes(secret))) yield 'a secret in an error';
  const isApproved = [...run.known].some((prompt) => isEffective(world, prompt));
  const isStep = run.step === 'approval-sent' || run.step === 'confirmed';
  const deniesIt = outcome === 'not_sent' || outcome === 'rejected';
  if (isStep && deniesIt && isApproved) yield `${code} is ${outcome}, but the approval is there`;
  if (message.includes('othing was approved') && isApproved) {
    yield `${code} denies an approval that is on the chain`;
  }
  const isAlarm = message.includes('evoke') || code === 'allowance_raced';
  if (isAlarm && isRight(world, run)) yield `${code} for exactly the requested approval`;
  if (isChainError(error, 'approval_mismatch') && error.field !== 'transaction') {
    if (isRight(world, run)) yield `${code} for exactly the requested approval`;
  }
}

function isReasonOf(signal: AbortSignal, error: unknown): boolean {
  return signal.aborted && signal.reason === error;
}

/** Whether the chain has held exactly the requested approval for some time. */
function isRight(world: World, { amount }: Run): boolean {
  const isSettled = world.now - world.changedAt >= SETTLED_MS;
  return isSettled && world.chain.allowance(OWNER, SPENDER) === amount;
}

function secretsOf(world: World): string[] {
  const { delegationTokens } = world.mock.state;
  return [NODE_KEY, ...delegationTokens.flatMap(({ token, nonce }) => [token, nonce])];
}
