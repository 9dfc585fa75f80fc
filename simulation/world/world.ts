import type { WebhookFetch } from '../../src/testing/deliveries.js';
import type { MockPlatform } from '../../src/testing/platform.js';
import { Random } from '../engine/random.js';
import { Scheduler } from '../engine/scheduler.js';
import { Trace } from '../engine/trace.js';
import { type FaultKind, Faults } from './faults.js';
import { type Happening, Ledger } from './ledger.js';
import { Replica } from './replica.js';

/** The parameters of a run. The same scenario produces the same run. */
export type Scenario = {
  readonly seed: number;
  readonly days: number;
  readonly without: readonly FaultKind[];
  /** Names of the actors that take part. Default: the usual ones. */
  readonly actors?: readonly string[] | undefined;
};

/** A broken invariant. */
export type Violation = { invariant: string; problem: string; time: number };

/** Judges an event: the names of the invariants that it breaks, and the problems. */
export type Judge = (
  world: World,
  happening: Happening,
) => readonly { readonly invariant: string; readonly problem: string }[];

/** The longest that a world can be; a longer run has several worlds. */
export const WORLD_DAYS = 12;
const START = Date.UTC(2026, 0, 5);

/** Everything that belongs to one run. */
export class World {
  readonly scenario: Scenario;
  readonly #judge: Judge;
  readonly random: Random;
  readonly scheduler = new Scheduler(START);
  readonly trace = new Trace();
  readonly ledger = new Ledger();
  readonly faults: Faults;
  /**
   * The share of requests with a fault, from 0 to 1. Calm days find other bugs than stormy ones.
   */
  readonly intensity: number;
  /** Draws the users whose session the service ends. */
  readonly sessions: Random;
  /** Draws the entries that arrive while a history is read. */
  readonly arrivals: Random;
  readonly replica: Replica;
  readonly violations: Violation[] = [];
  mock!: MockPlatform;
  /** Receives the deliveries of webhooks. */
  deliver: WebhookFetch = () => new Response(null, { status: 204 });
  /** Called when the last fault is over. */
  readonly whenCalm: (() => void)[] = [];
  /** Checks to run at the end: each returns the problem, if there is one. */
  readonly atEnd: (() => string | undefined)[] = [];
  /** No fault happens any more, and applications go on: now they must be useful, not only safe. */
  isCalm = false;
  /** Applications no longer start anything new. */
  isClosing = false;

  constructor(scenario: Scenario, judge: Judge) {
    this.scenario = scenario;
    this.#judge = judge;
    this.random = new Random(scenario.seed * 7919 + 17);
    this.faults = new Faults(new Set(scenario.without));
    this.sessions = this.random.fork('sessions');
    this.arrivals = this.random.fork('arrivals');
    this.intensity = this.random.fork('intensity').pick([0.05, 0.2, 0.35, 0.5]);
    this.replica = new Replica(this, this.random.fork('replica'));
  }

  get now(): number {
    return this.scheduler.now;
  }

  note(line: string): void {
    this.trace.add(this.scheduler.now - this.scheduler.startedAt, line);
  }

  /** Checks the invariants that an event can break. */
  happen(happening: Happening): void {
    for (const { invariant, problem } of this.#judge(this, happening)) {
      this.#violate(invariant, problem);
    }
  }

  /** Reports a violation that only the code at that place can detect. */
  claim(name: string, problem: string): void {
    this.#violate(name, problem);
  }

  /** Checks a text that leaves the package. */
  show(where: string, text: string): void {
    this.happen({ kind: 'shown', shown: { where, text } });
  }

  #violate(invariant: string, problem: string): void {
    this.violations.push({ invariant, problem, time: this.now - this.scheduler.startedAt });
    this.note(`VIOLATION ${invariant}: ${problem}`);
    this.scheduler.isStopped = true;
  }

  /** Runs all events up to a time and moves the platform's clock with them. */
  async runUntil(time: number): Promise<void> {
    const { scheduler } = this;
    await scheduler.runUntil(
      time,
      () => {
        if (this.mock.now < scheduler.now) this.mock.advance(scheduler.now - this.mock.now);
      },
      () => this.happen({ kind: 'step' }),
    );
  }
}
