import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** One thing that is measured. */
export type Contestant = { name: string; call: () => PromiseLike<unknown> };

/** Medians over all rounds, in microseconds, with the smallest and largest round. */
export type Figure = { name: string; cpu: number; wall: number; least: number; most: number };

/** Starts the service in a process of its own. */
export async function startServer(): Promise<{ baseUrl: string; stop: () => void }> {
  const child = fork(fileURLToPath(new URL('./server.mjs', import.meta.url)), { execArgv: [] });
  const port = await new Promise<number>((resolve) =>
    child.once('message', (message) => resolve(Number(message))),
  );
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

async function round({ call }: Contestant, calls: number, atOnce: number) {
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

/** Measures contestants in turn, round by round, so that a busy machine slows all of them alike. */
export async function compare(
  contestants: readonly Contestant[],
  { rounds, calls, atOnce }: { rounds: number; calls: number; atOnce: number },
): Promise<Figure[]> {
  const results = contestants.map(() => ({ cpu: [] as number[], wall: [] as number[] }));
  for (const contestant of contestants) await round(contestant, calls / 2, atOnce);
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
