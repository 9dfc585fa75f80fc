import { describe, expect, it } from 'vitest';
import { judge } from '../../simulation/invariants/index.js';
import type { Call } from '../../simulation/world/ledger.js';
import { Machine, Process } from '../../simulation/world/process.js';
import { openWebStorage } from '../../simulation/world/store.js';
import { World } from '../../simulation/world/world.js';

function openWorld() {
  return new World({ seed: 1, days: 1, without: [] }, judge);
}

describe('a secret', () => {
  const SECRET = 'a secret/of "one"+two';

  it.each([
    ['as it is', SECRET],
    ['in JSON', JSON.stringify({ key: SECRET })],
    ['in a URL', `https://example.com/?key=${encodeURIComponent(SECRET)}`],
    ['in a form', new URLSearchParams({ key: SECRET }).toString()],
  ])('is found %s', (_, text) => {
    const world = openWorld();
    world.ledger.secrets.add(SECRET, 'secret key');
    world.show('the log', `before ${text} after`);
    expect(world.violations).toMatchObject([{ invariant: 'no-secret-shown' }]);
  });

  it('is not found in another text', () => {
    const world = openWorld();
    world.ledger.secrets.add(SECRET, 'secret key');
    world.show('the log', SECRET.slice(1));
    expect(world.violations).toEqual([]);
  });
});

describe('the entry of a call whose outcome is known', () => {
  /** A world in which a call has ended, and its entry is still on the disk of its machine. */
  function openWorldWithEntry() {
    const world = openWorld();
    const machine = new Machine('server');
    const process = new Process(world.scheduler, machine, 'server', 0);
    machine.disk.set('card-platform.journal.0', JSON.stringify({ entries: [{ id: 'e' }] }));
    const call = { id: 0, process, outcome: 'rejected', entryId: 'e' } as unknown as Call;
    world.ledger.calls.push(call);
    return { world, machine };
  }

  /** Lets the store of a machine fail. */
  function failStore(world: World, machine: Machine) {
    const process = new Process(world.scheduler, machine, machine.name, 0);
    const store = openWebStorage(world, process);
    while (!world.faults.counts.has('store')) {
      try {
        void store.set('a', 'b');
      } catch (error) {
        expect(String(error)).toContain('QuotaExceededError');
      }
    }
  }

  it('must not be there at the end, even if the store of another machine has failed', () => {
    const { world } = openWorldWithEntry();
    failStore(world, new Machine('phone'));
    world.happen({ kind: 'over' });
    expect(world.violations).toMatchObject([{ invariant: 'entry-exactly-while-unknown' }]);
  });

  it('may be there if its own store has failed', () => {
    const { world, machine } = openWorldWithEntry();
    failStore(world, machine);
    world.happen({ kind: 'over' });
    expect(world.violations).toEqual([]);
  });
});
