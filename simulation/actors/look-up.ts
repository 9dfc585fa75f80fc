import type { ClientJournal, JournalEntry } from '../../src/journal/journal-types.js';
import type { Random } from '../engine/random.js';
import type { Call } from '../world/ledger.js';
import type { Process } from '../world/process.js';
import { callOfEntry } from '../world/store.js';
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

/** Looks up one entry. Returns whether a later look may show more. */
async function lookUpEntry(
  world: World,
  process: Process,
  random: Random,
  place: LookUp,
  entry: JournalEntry,
): Promise<boolean> {
  const call = callOfEntry(world, entry);
  if (call === undefined) return false;
  const journal = await place.journalFor(call);
  if (journal === undefined) return false;
  const { verdict, lookAgainAt } = await journal.reconcile(entry);
  if (!process.isAlive) return false;
  world.note(`${process.name} reconciled ${call.id} ${entry.operation} ${verdict}`);
  world.happen({ kind: 'reconciled', call, verdict });
  if (verdict === 'not_executed') call.intention.deniedBy = `call ${call.id}`;
  if (verdict === 'undecided' && world.now - call.startedAt < GIVE_UP_MS) {
    return lookAgainAt !== undefined;
  }
  // From now on the verdict counts for other entries, so it must be stored before it is acted on.
  await journal.remove(entry, verdict);
  // An entry also stays if a call was refused and the store failed to remove it. In that case a
  // later call may already have done what the user wanted.
  const isNewest = call.intention.calls.at(-1) === call;
  if (verdict === 'not_executed' && isNewest && random.chance(0.6)) place.again(call);
  return false;
}

/** Looks up every entry of the journal, as an application does when it starts and from time to time. */
export async function lookUpAll(
  world: World,
  process: Process,
  random: Random,
  place: LookUp,
): Promise<void> {
  try {
    const pending = await place.anyJournal().pending();
    if (!process.isAlive) return;
    world.show('journal.pending()', JSON.stringify(pending));
    let isOpen = false;
    for (const entry of pending) {
      isOpen = (await lookUpEntry(world, process, random, place, entry)) || isOpen;
    }
    if (!isOpen || world.isClosing) return;
    world.scheduler.after(LOOK_AGAIN_MS, process, () => {
      void lookUpAll(world, process, random, place);
    });
  } catch (error) {
    // A read failed. The next lookup tries again.
    if (process.isAlive) showValue(world, 'the error of a lookup', error);
  }
}
