import {
  type Contestant,
  moduleOf,
  OTHERS,
  OURS,
  OURS_OVER_FETCH,
  OURS_OVER_KY,
  RAW_FETCH,
} from './contestants.js';
import { inProcess, median } from './measure.js';
import { kilobytes, type Section } from './report.js';
import { atMost, cell, LIMITS } from './targets.js';

type Probed = { held: number; resident: number; get: number[]; post: number[] };
type Kind = 'GET' | 'POST' | 'held';

const MEBIBYTE = 2 ** 20;
const CALLS_IN_A_BATCH = 50;
// Megabytes of young generation: more than a batch of the most demanding contestant allocates.
const YOUNG = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

function probe(contestant: Contestant, baseUrl: string, batches: number): Promise<Probed> {
  const args = [moduleOf(contestant).href, baseUrl, batches, CALLS_IN_A_BATCH];
  return inProcess<Probed>('probe.mjs', args, ['--expose-gc', ...YOUNG]);
}

function spread(bytes: readonly number[]): string {
  return `${kilobytes(median(bytes))} (${kilobytes(bytes[0] ?? 0)} to ${kilobytes(bytes.at(-1) ?? 0)})`;
}

/** Measures the bytes that a call allocates, and the memory that is held after the first call. */
export async function measureMemoryPerCall(baseUrl: string, isQuick: boolean): Promise<Section[]> {
  const all: { contestant: Contestant; figures: Probed }[] = [];
  const again = { ...RAW_FETCH, name: 'raw fetch again' };
  for (const contestant of [RAW_FETCH, OURS, OURS_OVER_FETCH, OURS_OVER_KY, ...OTHERS, again]) {
    all.push({ contestant, figures: await probe(contestant, baseUrl, isQuick ? 3 : 31) });
  }
  const value = ({ get, post, held }: Probed, kind: Kind) =>
    kind === 'held' ? held : median(kind === 'GET' ? get : post);
  const target = (contestant: Contestant, figures: Probed, kind: Kind) => {
    const limit = LIMITS.allocated[contestant.module];
    if (limit === undefined) return '';
    const raw = value(all[0]?.figures ?? figures, kind);
    const mine = value(figures, kind);
    return kind === 'held'
      ? cell(atMost((mine - raw) / MEBIBYTE, LIMITS.firstCall, 'MiB over raw fetch'))
      : cell(atMost(mine / raw, limit));
  };
  const ratio = (figures: Probed, kind: Kind) => {
    const [raw] = all;
    return raw === undefined ? '' : (value(figures, kind) / value(raw.figures, kind)).toFixed(2);
  };
  const allocated = (['GET', 'POST'] as const).flatMap((kind) =>
    all.map(({ contestant, figures }) => [
      ratio(figures, kind),
      kind,
      contestant.name,
      spread(kind === 'GET' ? figures.get : figures.post),
      target(contestant, figures, kind),
    ]),
  );
  const held = all.map(({ contestant, figures }) => [
    ratio(figures, 'held'),
    contestant.name,
    `${(figures.held / MEBIBYTE).toFixed(2)} MiB`,
    `${(figures.resident / MEBIBYTE).toFixed(1)} MiB`,
    target(contestant, figures, 'held'),
  ]);
  return [
    {
      title: 'Bytes allocated by one call',
      note: `Heap and external memory after ${CALLS_IN_A_BATCH} calls minus that before. Each contestant has a process of its own whose young generation is too large to be collected in between; batches in which the collector ran anyway are left out. Memory that only C++ sees is not included.`,
      heads: ['ratio', 'what', 'who', 'allocated (spread of batches)', 'target'],
      rows: allocated,
    },
    {
      title: 'Memory held after import and the first call',
      note: 'Compared with the same process before the import. Held: heap and external memory after collection. Resident: the whole process, including garbage.',
      heads: ['ratio', 'who', 'held', 'resident', 'target'],
      rows: held,
    },
  ];
}

type Grown = { calls: number; bytes: number };

/** Measures the memory that is held after many calls that share one signal. */
export async function measureMemory(isQuick: boolean): Promise<Section> {
  const counts = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
  const grown = await inProcess<Grown[]>('held.mjs', counts, ['--expose-gc']);
  const rows = grown.map(({ calls, bytes }) => {
    const mebibytes = bytes / MEBIBYTE;
    const target = cell(atMost(mebibytes, LIMITS.heapHeld, 'MiB'));
    return [calls.toLocaleString('en'), `${mebibytes.toFixed(2)} MiB`, target];
  });
  return { title: 'Heap held after many calls', heads: ['calls', 'growth', 'target'], rows };
}
