import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { rejection } from '../support/clients.js';
import { faultyStore, STORE_FAULTS } from '../support/faulty-stores.js';
import { MapStore } from '../support/map-store.js';
import { setUpScripted } from './scripted-reads.js';

const MOST_USES = 40;

describe.each(STORE_FAULTS)('where %s', (...row) => {
  function setUp() {
    const { store, uses } = faultyStore(new MapStore(), row);
    let sent = 0;
    const scene = setUpScripted(
      {},
      {
        middleware: [
          (_, next) => {
            sent++;
            return next();
          },
        ],
      },
      { store },
    );
    /** Withdraws, with time for the store to answer. */
    const withdraw = async () => {
      const error = rejection(
        scene.client.wallets.credit.withdraw({ amount: '1' }, { totalTimeout: 600_000 }),
      );
      let isOver = false;
      void error.then(() => {
        isOver = true;
      });
      for (let wait = 0; wait < 8 && !isOver; wait++) {
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
        if (!isOver) await scene.clock.advance(30_000);
      }
      expect(isOver).toBe(true);
      return error;
    };
    return { uses, withdraw, sent: () => sent };
  }

  it('from the start, nothing is sent', async () => {
    const { uses, withdraw, sent } = setUp();
    uses.isFaulty = true;
    const error = await withdraw();
    expect(error).toMatchObject({ code: 'journal_failed', outcome: 'not_sent' });
    expect(sent()).toBe(0);
    expect(uses.count).toBeLessThan(MOST_USES);
  });

  it('later, nothing is sent that could not be written before', async () => {
    const { uses, withdraw, sent } = setUp();
    expect(await withdraw()).toMatchObject({ outcome: 'unknown' });
    const [before, used] = [sent(), uses.count];
    expect(before).toBe(1);
    uses.isFaulty = true;
    const error = await withdraw();
    // An entry is one update, and says which user the session belongs to, which is read.
    const isWritten = row[1] === 'set' || row[1] === 'delete';
    expect(error, inspect(error)).toMatchObject(
      isWritten ? { outcome: 'unknown' } : { code: 'journal_failed', outcome: 'not_sent' },
    );
    expect(sent()).toBe(isWritten ? 2 : before);
    expect(uses.count - used).toBeLessThan(MOST_USES);
  });
});
