import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Contestant, moduleOf } from './contestants.js';

/** Medians over all rounds in microseconds, with the smallest and largest round. */
export type Figure = { name: string; cpu: number; wall: number; least: number; most: number };

/** The calls of one round. */
type Round = { method: 'get' | 'post'; calls: number; atOnce: number };

/** A contestant in a process of its own. */
type Runner = { name: string; child: ChildProcess };

function start(script: string, args: readonly string[] = []): ChildProcess {
  const file = fileURLToPath(new URL(`./${script}`, import.meta.url));
  return fork(file, [...args], { execArgv: [] });
}

/** Starts the service in a process of its own. */
export async function startServer(): Promise<{ baseUrl: string; stop: () => void }> {
  const child = start('server.mjs');
  const [port] = await once(child, 'message');
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

/** Returns the median of some figures, or 0 without figures. */
export const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

function runRound({ name, child }: Runner, round: Round): Promise<{ cpu: number; wall: number }> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`${name} ended in the middle of a round`));
    child.once('exit', fail);
    child.once('message', (figures: { cpu: number; wall: number }) => {
      child.off('exit', fail);
      resolve(figures);
    });
    child.send(round);
  });
}

/** Starts the contestants to be compared, each in a process without the garbage of others. */
export async function openRunners(
  contestants: readonly Contestant[],
  baseUrl: string,
  warmUpCalls: number,
): Promise<{ runners: readonly Runner[]; close: () => void }> {
  const runners = contestants.map((contestant) => ({
    name: contestant.name,
    child: start('rounds.mjs', [moduleOf(contestant).href, baseUrl]),
  }));
  // Calls often enough for the compiler, so that no round includes its work. Nothing is measured
  // here.
  const warmUp = async (runner: Runner) => {
    for (const method of ['get', 'post'] as const) {
      await runRound(runner, { method, calls: warmUpCalls, atOnce: 8 });
    }
  };
  await Promise.all(runners.map(warmUp));
  return { runners, close: () => runners.forEach(({ child }) => void child.kill()) };
}

/** Lets the contestants run rounds in turn, so that a busy machine slows all of them equally. */
export async function compare(
  runners: readonly Runner[],
  rounds: number,
  round: Round,
): Promise<Figure[]> {
  const results = runners.map(() => ({ cpu: [] as number[], wall: [] as number[] }));
  for (let i = 0; i < rounds; i++) {
    for (const [index, runner] of runners.entries()) {
      const { cpu, wall } = await runRound(runner, round);
      results[index]?.cpu.push(cpu);
      results[index]?.wall.push(wall);
    }
  }
  return runners.map(({ name }, index) => {
    const { cpu = [], wall = [] } = results[index] ?? {};
    return {
      name,
      cpu: median(cpu),
      wall: median(wall),
      least: Math.min(...cpu),
      most: Math.max(...cpu),
    };
  });
}

/**
 * Runs a script of this folder in a process of its own, and returns the one message that it sends.
 */
export async function inProcess<Message>(
  script: string,
  args: readonly (string | number)[],
  execArgv: readonly string[] = [],
): Promise<Message> {
  const file = fileURLToPath(new URL(`./${script}`, import.meta.url));
  const child = fork(file, args.map(String), { execArgv: [...execArgv] });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Message));
    child.once('exit', () => reject(new Error(`${script} ${args[0]} ended without a result`)));
  });
}
