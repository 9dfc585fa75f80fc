import { ACTORS, USUAL_ACTORS } from '../actors/index.js';
import { installGlobals } from '../engine/globals.js';
import { judge } from '../invariants/index.js';
import { createPlatform } from '../world/platform.js';
import { type Scenario, type Violation, World } from '../world/world.js';

/** The scenario of a run, and its results. */
export type RunResult = {
  scenario: Scenario;
  hash: string;
  days: number;
  calls: number;
  requests: number;
  steps: number;
  faults: Record<string, number>;
  /** How often each lie met each command, by `<kind> <operation>`. */
  lies: Record<string, number>;
  violation: Violation | undefined;
  lastLines: readonly string[];
};

/** Id and secret key have signs that JSON and a URL spell differently. */
const CREDENTIALS = {
  clientKey: 'client-key-of-tenant',
  clientId: 'client/id"of+tenant',
  secretKey: 'secret/key"of+tenant',
};
const FLIGHTS = Symbol.for('card-platform-sdk.delegations');
const DAY_MS = 24 * 60 * 60_000;
/** How long applications are used without faults: the busy hours of one more day. */
const USEFUL_MS = 4 * 60 * 60_000;
/**
 * How long everything that was begun may take to end: the last delivery of a webhook waits for 12
 * hours.
 */
const CALM_MS = 16 * 60 * 60_000;

/** Runs one world from its start to its end. */
export async function runWorld(scenario: Scenario): Promise<RunResult> {
  const world = new World(scenario, judge);
  installGlobals(world.scheduler, world.random);
  // This run does not know the flows of an earlier run.
  (Reflect.get(globalThis, FLIGHTS) as Map<string, unknown>).clear();
  const { ledger, scheduler } = world;
  world.mock = createPlatform(scenario.seed, scheduler.now, {
    credentials: CREDENTIALS,
    observed: true,
    webhookFetch: (url, init) => world.deliver(url, init),
  });
  ledger.secrets.add('node-key-canary', 'key of the node');
  ledger.secrets.add(CREDENTIALS.clientKey, 'client key');
  ledger.secrets.add(CREDENTIALS.clientId, 'client id');
  ledger.secrets.add(CREDENTIALS.secretKey, 'secret key');
  const stray = (reason: unknown) => {
    world.claim('no-stray-error', String(Object(reason).stack ?? reason));
  };
  process.on('unhandledRejection', stray);
  for (const name of scenario.actors ?? Object.keys(USUAL_ACTORS)) {
    const start = ACTORS[name];
    if (start === undefined) throw new Error(`there is no actor ${name}`);
    start(world);
  }
  await scheduler.drain();
  const end = scheduler.now + scenario.days * DAY_MS;
  await world.runUntil(end);
  world.isCalm = true;
  world.faults.isOver = true;
  for (const start of world.whenCalm) start();
  await world.runUntil(end + USEFUL_MS);
  world.isClosing = true;
  await world.runUntil(end + USEFUL_MS + CALM_MS);
  if (world.violations.length === 0) {
    world.happen({ kind: 'over' });
    for (const check of world.atEnd) world.happen({ kind: 'delivered', problem: check() });
  }
  process.off('unhandledRejection', stray);
  return {
    scenario,
    hash: world.trace.digest(),
    days: scenario.days,
    calls: ledger.calls.length,
    requests: ledger.requests,
    steps: scheduler.steps,
    faults: Object.fromEntries(world.faults.counts),
    lies: Object.fromEntries(world.faults.lies),
    violation: world.violations[0],
    lastLines: world.violations.length > 0 ? world.trace.last(60) : [],
  };
}
