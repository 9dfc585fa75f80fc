/** The owner of an event. No event of a process happens after the process has died. */
export type Owner = { readonly name: string; readonly isAlive: boolean; readonly skew: number };

/** The owner of events that belong to no process: the network, disks, the users. */
export const WORLD: Owner = { name: 'world', isAlive: true, skew: 0 };

type Event = {
  readonly time: number;
  readonly order: number;
  readonly owner: Owner;
  readonly run: () => void;
  isCancelled: boolean;
};

// Kept from before the globals are replaced.
const { setImmediate: nextTurn } = globalThis;

const isEarlier = (one: Event, other: Event) =>
  one.time < other.time || (one.time === other.time && one.order < other.order);

/** The earliest event first (a binary heap). */
class EventQueue {
  readonly #events: Event[] = [];

  push(event: Event): void {
    const events = this.#events;
    let index = events.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const other = events[parent] as Event;
      if (!isEarlier(event, other)) break;
      events[index] = other;
      index = parent;
    }
    events[index] = event;
  }

  get first(): Event | undefined {
    return this.#events[0];
  }

  get all(): readonly Event[] {
    return this.#events;
  }

  shift(): void {
    const events = this.#events;
    const last = events.pop();
    if (last === undefined || events.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const [left, right] = [events[child], events[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && isEarlier(right, left)) child++;
      const least = events[child] as Event;
      if (!isEarlier(least, last)) break;
      events[index] = least;
      index = child;
    }
    events[index] = last;
  }
}

/**
 * The only clock of a simulation. One event runs at a time. Every promise continuation that follows from
 * it runs before the next one, so the order of everything is the same in each run.
 */
export class Scheduler {
  now: number;
  readonly startedAt: number;
  /** The owner of the running event. New timers belong to the same owner. */
  owner: Owner = WORLD;
  steps = 0;
  isStopped = false;
  readonly #queue = new EventQueue();
  readonly #external: (() => Promise<void>)[] = [];
  #order = 0;

  constructor(now: number) {
    this.now = now;
    this.startedAt = now;
  }

  /**
   * Runs a function later, unless its owner has died by then. Returns a function that cancels the
   * call.
   */
  after(ms: number, owner: Owner, run: () => void): () => void {
    const event = {
      time: this.now + Math.max(0, Math.ceil(ms)),
      order: this.#order++,
      owner,
      run,
      isCancelled: false,
    };
    this.#queue.push(event);
    return () => {
      event.isCancelled = true;
    };
  }

  /** Returns a promise that resolves later, or never if its owner has died by then. */
  sleep(ms: number, owner: Owner): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, owner, resolve);
    });
  }

  /**
   * Work outside of JavaScript, such as a hash in another thread. Its result arrives when all other
   * continuations have run, and in the order in which it was started.
   */
  external<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#external.push(() => work().then(resolve, reject));
    });
  }

  /** How many timers the living owners with this name have. */
  countOf(isOf: (owner: Owner) => boolean): number {
    return this.#queue.all.filter(({ isCancelled, owner }) => {
      return !isCancelled && owner.isAlive && isOf(owner);
    }).length;
  }

  /**
   * Runs all events up to a time. `afterStep` is called after an event and everything that follows
   * from it.
   */
  async runUntil(time: number, beforeStep: () => void, afterStep: () => void): Promise<void> {
    for (;;) {
      const event = this.#queue.first;
      if (event === undefined || event.time > time || this.isStopped) break;
      this.#queue.shift();
      if (event.isCancelled || !event.owner.isAlive) continue;
      this.now = event.time;
      this.steps++;
      this.owner = WORLD;
      beforeStep();
      this.owner = event.owner;
      event.run();
      await this.drain();
      this.owner = WORLD;
      afterStep();
    }
    if (!this.isStopped) this.now = Math.max(this.now, time);
  }

  /** Runs every continuation that is ready. */
  async drain(): Promise<void> {
    await new Promise(nextTurn);
    for (let work = this.#external.shift(); work !== undefined; work = this.#external.shift()) {
      await work();
      await new Promise(nextTurn);
    }
  }
}
