import type { Random } from '../engine/random.js';
import type { Process } from '../world/process.js';
import type { World } from '../world/world.js';
import type { Chain, ChainTransaction, View } from './chain.js';

/** What is wrong with the nodes behind a URL. */
type Trouble =
  | { readonly kind: 'behind'; readonly steps: number }
  | { readonly kind: 'fails' | 'hangs' | 'junk' };

/** A node is behind for so short that of three looks in a row, one is true. */
const BEHIND_MS = 3_000;
const LONGEST_OUTAGE_MS = 40_000;
const QUIET_MS = 9_000;
const HANG_MS = 20_000;

/**
 * The nodes behind one URL. Now and then one of them is behind, fails, does not respond, or responds
 * with something else.
 */
export class Nodes<T extends ChainTransaction> {
  readonly #world: World;
  readonly #chain: Chain<T>;
  readonly #random: Random;
  #trouble: Trouble | undefined;
  #troubleUntil = 0;
  #quietUntil = 0;

  constructor(world: World, chain: Chain<T>, name: string) {
    this.#world = world;
    this.#chain = chain;
    this.#random = world.random.fork(`nodes of ${name}`);
  }

  /** Reads what a node sees. The response takes its time. */
  async read<R>(process: Process, read: (view: View<T>) => R): Promise<R> {
    const { scheduler } = this.#world;
    await scheduler.sleep(this.#random.between(20, 400), process);
    const trouble = this.#meet();
    if (trouble === undefined) return read(this.#chain.view());
    if (trouble.kind === 'behind') return read(this.#chain.view(trouble.steps));
    if (trouble.kind === 'fails') throw new Error('https://node.example/node-key-canary: 429');
    if (trouble.kind === 'junk') return '<html>busy</html>' as R;
    await scheduler.sleep(HANG_MS, process);
    return read(this.#chain.view());
  }

  /** The trouble that a read meets. */
  #meet(): Trouble | undefined {
    const { now, intensity, faults } = this.#world;
    const random = this.#random;
    if (!faults.allows('chain')) return undefined;
    if (now < this.#troubleUntil) return random.chance(0.7) ? this.#trouble : undefined;
    if (now < this.#quietUntil || !random.chance(0.3 * intensity) || !faults.take('chain')) {
      return undefined;
    }
    const kind = random.pick(['behind', 'behind', 'behind', 'fails', 'hangs', 'junk'] as const);
    const most = kind === 'behind' ? BEHIND_MS : LONGEST_OUTAGE_MS;
    this.#troubleUntil = now + random.between(1, random.chance(0.7) ? BEHIND_MS : most);
    this.#quietUntil = this.#troubleUntil + QUIET_MS;
    this.#trouble = kind === 'behind' ? { kind, steps: random.pick([1, 1, 2, 4]) } : { kind };
    this.#world.note(`node ${kind}`);
    return this.#trouble;
  }
}
