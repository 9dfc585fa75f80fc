import type { Clock } from '../../src/transport/attempts/clock.js';
import type { Owner, Scheduler } from '../engine/scheduler.js';

/** A machine, a phone or a browser: its stored data survives its processes. */
export class Machine {
  readonly disk = new Map<string, string>();

  constructor(readonly name: string) {}
}

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

  die(): void {
    this.isAlive = false;
    for (const run of this.#onEnd) run();
  }
}
