import { describe, expect, it } from 'vitest';
import { withdrawCredit } from '../../src/contract/credit-wallet.js';
import type { KeyValueStore } from '../../src/index.js';
import { listPending, removeEntry } from '../../src/journal/journal.js';
import { createRecorder } from '../../src/journal/recorder.js';
import { KEYS } from '../../src/journal/slots.js';
import { systemClock } from '../../src/transport/attempts/clock.js';
import { randomFrom } from './crash/random.js';

const RUNS = Number(process.env['JOURNAL_INTERLEAVINGS'] ?? 4);

/** A store that is shared by several programs, and whose every step takes a random number of turns. */
function sharedStore(random: () => number, values: Map<string, string>): KeyValueStore {
  const turns = async () => {
    for (let turn = Math.floor(random() * 4); turn > 0; turn--) await undefined;
  };
  const step = async <T>(work: () => T) => {
    await turns();
    const result = work();
    await turns();
    return result;
  };
  return {
    get: (key) => step(() => values.get(key)),
    set: (key, value) => step(() => values.set(key, value)),
    delete: (key) => step(() => values.delete(key)),
  };
}

const request = (amount: string) => ({
  endpoint: withdrawCredit,
  input: { amount },
  region: 'global' as const,
  accessToken: undefined,
  totalTimeout: 60_000,
  hasSecret: () => false,
});

describe('programs that share a store', () => {
  it('lose no entry in any of the tried orders of their steps', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = randomFrom(seed);
      const values = new Map<string, string>();
      const stores = Array.from({ length: 3 }, () => sharedStore(random, values));
      const kept: string[] = [];
      const program = async (store: KeyValueStore, index: number) => {
        const recorder = createRecorder({ store }, systemClock);
        for (let call = 0; call < 4; call++) {
          const amount = `${index}.${call + 1}`;
          const takeNote = await recorder.record(request(amount));
          if (random() < 0.5) kept.push(amount);
          else await takeNote(random() < 0.5 ? 'executed' : 'rejected');
        }
      };
      await Promise.all(
        stores.flatMap((store, index) => [program(store, index), program(store, index + 3)]),
      );
      const pending = await listPending({ store: values });
      const amounts = pending.map(({ details }) => details['amount']);
      expect(amounts.sort(), `seed ${seed}`).toEqual(kept.sort());
    }
  });

  it('keep more entries than a block has slots', async () => {
    const store = new Map<string, string>();
    const recorder = createRecorder({ store }, systemClock);
    await Promise.all(
      Array.from({ length: 80 }, (_, index) => recorder.record(request(`${index + 1}`))),
    );
    const pending = await listPending({ store });
    expect(pending).toHaveLength(80);
    for (const entry of pending)
      await removeEntry({ options: { store }, clock: systemClock }, entry, 'undecided');
    expect(await listPending({ store })).toEqual([]);
  });

  it('remember a request in the slot of its entry', async () => {
    const store = new Map<string, string>();
    const recorder = createRecorder({ store }, systemClock);
    for (const amount of ['1', '2', '3']) await recorder.record(request(amount));
    const pending = await listPending({ store });
    const entry = pending.find(({ details }) => details['amount'] === '2');
    if (entry === undefined) throw new Error('there must be an entry');
    await removeEntry({ options: { store }, clock: systemClock }, entry, 'executed');
    const slot = [0, 1, 2].find((each) => store.get(KEYS.slot(each)) === entry.id);
    const lists = [0, 1, 2].filter((each) => store.has(KEYS.done(each)));
    expect(lists).toEqual([slot]);
  });
});

describe('a damaged entry', () => {
  it('is listed as unreadable', async () => {
    const store = new Map<string, string>();
    await createRecorder({ store }, systemClock).record(request('1'));
    const [entry] = await listPending({ store });
    if (entry === undefined) throw new Error('there must be an entry');
    for (const text of ['{', '[]', 'null', JSON.stringify({ ...entry, at: 'now' })]) {
      store.set(KEYS.entry(entry.id), text);
      expect(await listPending({ store })).toMatchObject([
        { id: entry.id, operation: 'unreadable' },
      ]);
    }
  });
});
