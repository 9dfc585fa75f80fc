import type { Clock } from '../../src/transport/attempts/clock.js';
import type { Owner, Scheduler } from '../engine/scheduler.js';

/** A machine, a phone or a browser: its stored data survives its processes. */
export class Machine {
  readonly disk = new Map<string, string>();
  /** When one of its processes last got a response with status 401, to a call or a look. */
  refusedAt = Number.NEGATIVE_INFINITY;
  /** How often its store has failed. */
  storeFaults = 0;

  constructor(readonly name: string) {}
}

/** The write of its store at which a process dies, counted from its start. */
type LastWrite = { readonly number: number; readonly isDone: boolean };

/** A running program. It can die at any moment, and everything that it has started ends with it. */
export class Process implements Owner {
  readonly name: string;
  readonly machine: Machine;
  /** How far its clock is ahead of the service's, in milliseconds. */
  readonly skew: number;
  readonly clock: Clock;
  /** Timers of the package that are running. */
  openTimers = 0;
  isAlive = true;
  /** Whether it has no timers of its own while no call is running. */
  isIdleBetweenCalls = false;
  /** Called when a call begins. */
  onCall: () => void = () => {};
  /** Lets the process die; returns `false` if no such fault may happen. */
  crash: () => boolean = () => false;
  lastWrite: LastWrite | undefined;
  #writes = 0;
  readonly #onEnd: (() => void)[] = [];

  constructor(scheduler: Scheduler, machine: Machine, name: string, skew: number) {
    this.name = name;
    this.machine = machine;
    this.skew = skew;
    const bootedAt = scheduler.now;
    this.clock = {
      now: () => scheduler.now + skew,
      elapsed: () => scheduler.now - bootedAt,
      schedule: (callback, ms) => {
        if (!this.isAlive) return () => {};
        this.openTimers++;
        let isOpen = true;
        const close = () => {
          if (isOpen) this.openTimers--;
          isOpen = false;
        };
        const cancel = scheduler.after(ms, this, () => {
          close();
          callback();
        });
        return () => {
          close();
          cancel();
        };
      },
    };
  }

  onEnd(run: () => void): void {
    this.#onEnd.push(run);
  }

  /** Writes to its store, unless the process dies before that; it may also die right after it. */
  write(run: () => void): void {
    this.#writes++;
    const isLast = this.lastWrite?.number === this.#writes;
    if (isLast && this.lastWrite?.isDone === false && this.crash()) return;
    run();
    if (isLast && this.lastWrite?.isDone === true) this.crash();
  }

  die(): void {
    this.isAlive = false;
    for (const run of this.#onEnd) run();
  }
}
