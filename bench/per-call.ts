import {
  type Connection,
  type Contestant,
  connect,
  OTHERS,
  OURS,
  OURS_OVER_FETCH,
  RAW_FETCH,
  WITHDRAWAL,
} from './contestants.js';
import { compare, type Figure, type Measured, warmUp } from './measure.js';
import type { Section } from './report.js';
import { bestOf, cell } from './targets.js';

const AGAIN: Contestant = { ...RAW_FETCH, name: 'raw fetch again' };
const OTHER_NAMES = OTHERS.map(({ name }) => name);

async function measured(baseUrl: string, method: 'get' | 'post'): Promise<Measured[]> {
  const ours = [OURS, OURS_OVER_FETCH, ...(method === 'post' ? [WITHDRAWAL] : [])];
  const all: Measured[] = [];
  for (const contestant of [RAW_FETCH, ...ours, ...OTHERS, AGAIN]) {
    const connection: Connection = await connect(contestant, baseUrl);
    all.push({ name: contestant.name, call: connection[method] });
  }
  return all;
}

function rowsOf(what: string, figures: readonly Figure[]): string[][] {
  const raw = figures[0]?.cpu ?? 1;
  const others = figures.filter(({ name }) => OTHER_NAMES.includes(name));
  const values = others.map(({ name, cpu }) => ({ name, value: cpu }));
  return figures.map(({ name, cpu, wall, least, most }) => {
    const isOurs = name === OURS.name || name === OURS_OVER_FETCH.name;
    return [
      (cpu / raw).toFixed(2),
      what,
      name,
      `${cpu.toFixed(0)} µs (${least.toFixed(0)} to ${most.toFixed(0)})`,
      `${wall.toFixed(0)} µs`,
      cell(isOurs ? bestOf(cpu, values) : undefined),
    ];
  });
}

/** Client CPU per call against raw fetch and JSON.parse. */
export async function measureCalls(baseUrl: string, isQuick: boolean): Promise<Section> {
  const rows: string[][] = [];
  for (const method of ['get', 'post'] as const) {
    const contestants = await measured(baseUrl, method);
    await warmUp(contestants);
    for (const atOnce of [1, 32]) {
      const size = { rounds: isQuick ? 3 : 15, calls: isQuick ? 160 : 800, atOnce };
      const figures = await compare(contestants, size);
      rows.push(...rowsOf(`${method.toUpperCase()}, ${atOnce} at once`, figures));
    }
  }
  return {
    title: 'CPU of one call against raw `fetch` + `JSON.parse`',
    note: 'User and system time of the client process, all its threads. A withdrawal opens a connection of its own for each call, on purpose; nobody else here does.',
    heads: ['ratio', 'what', 'who', 'CPU per call (spread of rounds)', 'wall', 'target'],
    rows,
  };
}
