import type { MockPlatform } from '../../src/testing/platform.js';
import type { MockUser } from '../../src/testing/state.js';
import type { Random } from '../engine/random.js';
import type { Faults } from './faults.js';

/** The world that reads belong to. */
type Place = { readonly now: number; readonly mock: MockPlatform; readonly faults: Faults };

/** A user and the webhooks of the tenant, as they were until a change. */
type Past = { readonly until: number; readonly user: MockUser; readonly webhooks: string };

/**
 * The longest lag. The journal relies on the sum of this and of the longest work on a request being
 * less than its `settleTime`, five minutes: a request is late by less than four.
 */
const LONGEST_LAG_MS = 60_000;
/** How often a read is answered from the past, if there is one. */
const LAGS = 0.5;

/** Copies of the service's data that lag behind it: a read may show what was true some time ago. */
export class Replica {
  readonly #world: Place;
  readonly #random: Random;
  /** How far reads may be behind in this world. */
  readonly #lag: number;
  #pasts: Past[] = [];

  constructor(world: Place, random: Random) {
    this.#world = world;
    this.#random = random;
    this.#lag = this.#random.pick([0, 20_000, LONGEST_LAG_MS]);
  }

  /** Keeps what is true of a user before a change. */
  keep(user: MockUser): void {
    if (this.#lag === 0) return;
    const { now, mock } = this.#world;
    // Twice the lag, for `mayHaveShown`: its reader takes some time after the read.
    this.#pasts = this.#pasts.filter(({ until }) => until >= now - 2 * this.#lag);
    const webhooks = JSON.stringify(mock.state.webhooks);
    this.#pasts.push({ until: now, user: structuredClone(user), webhooks });
  }

  /** Whether reads may be behind. */
  get lags(): boolean {
    return this.#lag > 0 && this.#world.faults.allows('lag');
  }

  /** Whether a recent read may have shown a user of whom something is true. */
  mayHaveShown(reader: MockUser, isTrue: (user: MockUser) => boolean): boolean {
    const pasts = this.#pasts.filter(({ user }) => user.id === reader.id);
    return isTrue(this.#world.mock.users.get(reader.id)) || pasts.some(({ user }) => isTrue(user));
  }

  /** Answers a read, of a user or of the tenant, perhaps from the past. */
  async read<T>(reader: MockUser | undefined, answer: () => Promise<T>): Promise<T> {
    const { now, mock, faults } = this.#world;
    const pasts = this.#pasts.filter(
      ({ until, user }) =>
        until >= now - this.#lag && (reader === undefined || user.id === reader.id),
    );
    const isPast = pasts.length > 0 && this.#random.chance(LAGS) && faults.take('lag');
    const past = isPast ? this.#random.pick(pasts) : undefined;
    if (past === undefined) return answer();
    const { user, webhooks } = past;
    const { state } = mock;
    const index = state.users.findIndex((one) => one.id === user.id);
    const present = { user: state.users[index] as MockUser, webhooks: state.webhooks };
    state.users[index] = structuredClone(user);
    state.webhooks = JSON.parse(webhooks);
    try {
      return await answer();
    } finally {
      state.users[index] = present.user;
      state.webhooks = present.webhooks;
    }
  }
}
