import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** One thing that is measured. */
export type Measured = { name: string; call: () => PromiseLike<unknown> };

/** Medians over all rounds, in microseconds, with the smallest and largest round. */
export type Figure = { name: string; cpu: number; wall: number; least: number; most: number };

/** How much is measured. */
export type Size = { rounds: number; calls: number; atOnce: number };

/** Starts the service in a process of its own. */
export async function startServer(): Promise<{ baseUrl: string; stop: () => void }> {
  const child = fork(fileURLToPath(new URL('./server.mjs', import.meta.url)), { execArgv: [] });
  const port = await new Promise<number>((resolve) =>
    child.once('message', (message) => resolve(Number(message))),
  );
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

/** The middle one of some figures; 0 of none. */
export const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

async function round({ call }: Measured, calls: number, atOnce: number) {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const lane = async () => {
    for (let i = 0; i < calls / atOnce; i++) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const wall = ((performance.now() - startedAt) * 1000) / calls;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpu: (user + system) / calls, wall };
}

const WARM_UP_CALLS = 480;

/** Calls each contestant until the compiler has seen it often, so that no round pays for that. */
export async function warmUp(contestants: readonly Measured[]): Promise<void> {
  for (const contestant of contestants) await round(contestant, WARM_UP_CALLS, 8);
}

/**
 * Measures contestants in turn, round by round, so that a busy machine slows all of them alike.
 * They have been warmed up.
 */
export async function compare(
  contestants: readonly Measured[],
  { rounds, calls, atOnce }: Size,
): Promise<Figure[]> {
  const results = contestants.map(() => ({ cpu: [] as number[], wall: [] as number[] }));
  for (let i = 0; i < rounds; i++) {
    for (const [index, contestant] of contestants.entries()) {
      const { cpu, wall } = await round(contestant, calls, atOnce);
      results[index]?.cpu.push(cpu);
      results[index]?.wall.push(wall);
    }
  }
  return contestants.map(({ name }, index) => {
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
