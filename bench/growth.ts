import { moduleOf, OURS, OURS_OVER_FETCH, RAW_FETCH } from './contestants.js';
import { inProcess } from './measure.js';
import type { Section } from './report.js';
import { cell, LIMITS } from './targets.js';

type Point = { at: number; cpu: number };
type Grown = { byCalls: Point[]; byAtOnce: Point[] };

const cpuAt = (points: readonly Point[], at: number) =>
  points.find((point) => point.at === at)?.cpu ?? Number.NaN;

/** Measures whether a call stays as cheap after a thousand and a hundred thousand calls. */
export async function measureGrowth(baseUrl: string, isQuick: boolean): Promise<Section> {
  const contestants = isQuick ? [RAW_FETCH, OURS] : [RAW_FETCH, OURS, OURS_OVER_FETCH];
  const most = isQuick ? 10_000 : 100_000;
  const grown: Grown[] = [];
  for (const contestant of contestants) {
    grown.push(await inProcess<Grown>('grow.mjs', [moduleOf(contestant).href, baseUrl, most]));
  }

  const ratioAt = (kind: keyof Grown, at: number) => {
    const [raw, ours] = grown;
    return cpuAt(ours?.[kind] ?? [], at) / cpuAt(raw?.[kind] ?? [], at);
  };
  const target = (kind: keyof Grown, base: number, last: number) => {
    const ours = grown[1]?.[kind] ?? [];
    const shown = base.toLocaleString('en');
    if (kind === 'byCalls') {
      const isMet = cpuAt(ours, last) <= LIMITS.growth * cpuAt(ours, base);
      return cell({ text: `at most ${LIMITS.growth} times that at ${shown}`, isMet });
    }
    // So many simultaneous connections cost every contestant more.
    const isMet = ratioAt(kind, last) <= LIMITS.growth * ratioAt(kind, base);
    return cell({ text: `a ratio of at most ${LIMITS.growth} times that at ${shown}`, isMet });
  };
  const rowsOf = (kind: keyof Grown, base: number, labelOf: (at: string) => string) => {
    const marks = grown[0]?.[kind].map(({ at }) => at) ?? [];
    return marks.map((at) => {
      const points = grown.map((one) => one[kind]);
      return [
        ratioAt(kind, at).toFixed(2),
        labelOf(at.toLocaleString('en')),
        ...points.map((one) => `${cpuAt(one, at).toFixed(0)} µs`),
        at === marks.at(-1) ? target(kind, base, at) : '',
      ];
    });
  };
  return {
    title: 'Growth: CPU of one GET, from the first call on',
    note: 'Each contestant has a process of its own. By calls: the mean of the calls since the previous line, one at a time; the first call includes late loading. The ratio is this client to raw fetch.',
    heads: ['ratio', 'calls', ...contestants.map(({ name }) => name), 'target for this client'],
    rows: [
      ...rowsOf('byCalls', most / 10, (at) => `up to call ${at}`),
      ...rowsOf('byAtOnce', 100, (at) => `${at} at once`),
    ],
  };
}
