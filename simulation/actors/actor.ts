import type { Random } from '../engine/random.js';
import { WORLD } from '../engine/scheduler.js';
import { untilUsedFor } from '../world/day.js';
import type { Machine } from '../world/process.js';
import { Process } from '../world/process.js';
import type { World } from '../world/world.js';

/** A program that runs on a machine, crashes and starts again. */
export type Program = (process: Process, random: Random) => void;

const MINUTE_MS = 60_000;
/** A process that dies at a write of its store dies at one of the first ones. */
const MOST_WRITES = 16;

/** Starts a program, and lets it crash and start again from time to time. */
export function keepRunning(
  world: World,
  machine: Machine,
  name: string,
  program: Program,
  meanUptimeMinutes = 180,
): void {
  const random = world.random.fork(`program ${name}`);
  // All processes of a machine share its clock.
  const skew = world.faults.allows('skew') ? machineSkew(world, machine) : 0;
  const start = () => {
    const process = new Process(world.scheduler, machine, name, skew);
    world.ledger.processes.push(process);
    world.note(`${name} starts`);
    program(process, random.fork(`run ${world.now}`));
    const uptime = random.between(1, meanUptimeMinutes * 2) * MINUTE_MS + random.between(0, 59_999);
    world.scheduler.after(untilUsedFor(world, uptime), process, () => plan(process));
    process.crash = () => crash(process, 'store-crash');
    const steps = random.fork(`steps ${world.now}`);
    if (steps.chance(0.3)) {
      process.lastWrite = { number: steps.between(1, MOST_WRITES), isDone: steps.chance(0.5) };
    }
  };
  const plan = (process: Process) => {
    if (world.faults.isOver) return;
    // Usually in the middle of a call: shortly after the next call has started.
    let isPlanned = false;
    const soon = (most: number) => () => {
      if (!isPlanned) {
        world.scheduler.after(random.between(0, most), process, () => void crash(process, 'crash'));
      }
      isPlanned = true;
    };
    process.onCall = soon(150);
    if (random.chance(0.3)) soon(30_000)();
  };
  const crash = (process: Process, kind: 'crash' | 'store-crash'): boolean => {
    if (!process.isAlive || !world.faults.take(kind)) return false;
    world.note(`${name} dies`);
    process.die();
    world.happen({ kind: 'died', process });
    const pause = random.pick([2_000, 20_000, 10 * MINUTE_MS]);
    world.scheduler.after(random.between(500, pause), WORLD, start);
    return true;
  };
  start();
}

const SKEW_MS = 4 * MINUTE_MS;
/** Where only a journal and sessions depend on the clock, it may be wrong by an hour, or a time zone. */
const LARGE_SKEWS_MS = [SKEW_MS, 60 * MINUTE_MS, 12 * 60 * MINUTE_MS];
const WITH_LARGE_SKEW = ['server', 'phone', 'browser', 'tablet'];

function machineSkew(world: World, { name }: Machine): number {
  const random = world.random.fork(`skew ${name}`);
  if (random.chance(0.5)) return 0;
  world.faults.take('skew');
  const most = WITH_LARGE_SKEW.includes(name) ? random.pick(LARGE_SKEWS_MS) : SKEW_MS;
  return random.between(-most, most);
}

const HOUR_MS = 60 * MINUTE_MS;

/** Runs an action at every full hour: all processes that have such a job run it at the same moment. */
export function repeatAtFullHours(world: World, process: Process, run: () => unknown): void {
  world.scheduler.after(HOUR_MS - (world.now % HOUR_MS), process, () => {
    if (world.isClosing) return;
    run();
    repeatAtFullHours(world, process, run);
  });
}

/** Runs an action during the hours of use, with random pauses, for as long as the process lives. */
export function repeat(
  world: World,
  process: Process,
  random: Random,
  meanMinutes: number,
  run: () => Promise<unknown> | undefined,
): void {
  const next = () => {
    const pause = -Math.log(1 - random.next()) * meanMinutes * MINUTE_MS + 1;
    world.scheduler.after(untilUsedFor(world, pause), process, () => {
      if (world.isClosing) return;
      run()?.catch((error: unknown) => {
        if (process.isAlive) world.claim('no-stray-error', String(Object(error).stack));
      });
      next();
    });
  };
  next();
}
