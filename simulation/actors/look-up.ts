import type {
  ClientJournal,
  JournalEntry,
  JournalVerdict,
} from '../../src/journal/journal-types.js';
import type { Random } from '../engine/random.js';
import type { Call } from '../world/ledger.js';
import type { Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { showValue } from './call.js';

/** An application looks again after a look that shows when to do so. */
const LOOK_AGAIN_MS = 7 * 60_000;
/** Undecided entries are removed when they are this old. */
const GIVE_UP_MS = 4 * 60 * 60_000;

/** The parts that an application needs to look up its open requests. */
export type LookUp = {
  /** The journal of a client that acts for the user of a call; `undefined` without a token. */
  journalFor(call: Call): Promise<ClientJournal | undefined>;
  anyJournal(): ClientJournal;
  /** Makes a user's call again, now that it is known that it was not executed. */
  again(call: Call): void;
};

function noteVerdict(world: World, process: Process, call: Call, verdict: JournalVerdict): void {
  world.note(`${process.name} found ${call.id} ${call.intention.operation.id} ${verdict}`);
  world.happen({ kind: 'reconciled', call, verdict });
  if (verdict === 'not_executed') call.intention.deniedBy = `call ${call.id}`;
  if (verdict === 'executed') call.isFound = true;
}

/** Looks up one entry. Returns whether a later look may show more. */
async function lookUpEntry(
  world: World,
  process: Process,
  random: Random,
  place: LookUp,
  entry: JournalEntry,
): Promise<boolean> {
  const call = world.ledger.entries.callOf(entry);
  if (call === undefined) return false;
  const journal = await place.journalFor(call);
  if (journal === undefined) return false;
  const { verdict, lookAgainAt } = await journal.reconcile(entry);
  if (!process.isAlive) return false;
  noteVerdict(world, process, call, verdict);
  if (verdict === 'undecided' && world.now - call.startedAt < GIVE_UP_MS) {
    return lookAgainAt !== undefined;
  }
  // From now on the verdict counts for other entries, so it must be stored before it is acted on.
  await journal.remove(entry, verdict);
  // An entry also stays if a call was refused and the store failed to remove it. In that case a
  // later call may already have done what the user wanted.
  if (verdict === 'not_executed' && isNewest(call) && random.chance(0.6)) place.again(call);
  return false;
}

const isNewest = (call: Call) => call.intention.calls.at(-1) === call;

/** How often a handler fails, in its database for example. */
const HANDLER_FAILS = 0.05;

/** Looks up every entry of one user with `recover`. Returns whether a later look may show more. */
async function recoverUser(
  world: World,
  process: Process,
  random: Random,
  place: LookUp,
  journal: ClientJournal,
): Promise<boolean> {
  const missing: Call[] = [];
  let isOpen = false;
  await journal.recover(async ({ entry, verdict, lookAgainAt }) => {
    const call = world.ledger.entries.callOf(entry);
    if (call === undefined || !process.isAlive) return;
    noteVerdict(world, process, call, verdict);
    if (verdict === 'undecided') {
      isOpen = lookAgainAt !== undefined || isOpen;
      if (world.now - call.startedAt >= GIVE_UP_MS) await journal.remove(entry, verdict);
      return;
    }
    world.note(`${process.name} handles ${call.id} ${entry.id} ${verdict}`);
    world.happen({ kind: 'handled', call, process, verdict });
    call.handler = process;
    await world.scheduler.sleep(random.between(0, 20_000), process);
    call.handler = undefined;
    if (random.chance(HANDLER_FAILS)) throw new Error('the handler failed: its database is down');
    if (verdict === 'not_executed') missing.push(call);
  });
  // Only now are the entries removed; see `lookUpEntry`.
  for (const call of missing) if (isNewest(call) && random.chance(0.6)) place.again(call);
  return isOpen;
}

/** Looks up every entry with `recover`, by one client for each user that has some. */
async function recoverAll(
  world: World,
  process: Process,
  random: Random,
  place: LookUp,
  pending: readonly JournalEntry[],
): Promise<boolean> {
  const calls = pending
    .map((entry) => world.ledger.entries.callOf(entry))
    .filter((one) => one !== undefined);
  const users = new Map(calls.map((call) => [call.intention.user.id, call]));
  let isOpen = false;
  for (const call of users.values()) {
    const journal = await place.journalFor(call);
    if (journal === undefined) continue;
    isOpen = (await recoverUser(world, process, random, place, journal)) || isOpen;
  }
  return isOpen;
}

/**
 * Looks up the entries of the journal, as an application does when it starts and from time to time.
 *
 * @param only - the call whose entry its user wants to see looked up. Default: every entry
 */
export async function lookUpAll(
  world: World,
  process: Process,
  random: Random,
  place: LookUp,
  only?: Call,
): Promise<void> {
  try {
    const all = await place.anyJournal().pending();
    const pending = only ? all.filter((one) => world.ledger.entries.callOf(one) === only) : all;
    if (!process.isAlive) return;
    world.show('journal.pending()', JSON.stringify(pending));
    const isRecovery = only === undefined && random.chance(0.5);
    let isOpen = isRecovery && (await recoverAll(world, process, random, place, pending));
    // The newest first, as an application shows them.
    for (const entry of isRecovery ? [] : pending.toReversed()) {
      isOpen = (await lookUpEntry(world, process, random, place, entry)) || isOpen;
    }
    if (!isOpen || world.isClosing) return;
    world.scheduler.after(LOOK_AGAIN_MS, process, () => {
      void lookUpAll(world, process, random, place, only);
    });
  } catch (error) {
    // A read failed. The next lookup tries again.
    if (process.isAlive) showValue(world, 'the error of a lookup', error);
  }
}
