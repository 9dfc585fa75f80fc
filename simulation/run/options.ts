import { parseArgs } from 'node:util';
import { FAULT_KINDS, type FaultKind } from '../world/faults.js';

/** The options of a run. */
export type Options = {
  seed: number;
  days: number;
  jobs: number;
  without: FaultKind[];
  actors: string[] | undefined;
  isVerbose: boolean;
};

function readNumber(name: string, text: string | undefined, usual: number): number {
  const value = text === undefined ? usual : Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new Error(`--${name} must be a number`);
}

const names = (text: string | undefined) => text?.split(',').filter(Boolean);

/** Reads the command line. */
export function readOptions(argv: readonly string[], cores: number): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seed: { type: 'string' },
      days: { type: 'string' },
      years: { type: 'string' },
      jobs: { type: 'string' },
      without: { type: 'string' },
      actors: { type: 'string' },
      verbose: { type: 'boolean' },
    },
  });
  const without = names(values.without) ?? [];
  const unknown = without.find((name) => !(FAULT_KINDS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`--without: ${unknown} is none of ${FAULT_KINDS}`);
  const years = readNumber('years', values.years, 0);
  return {
    seed: readNumber('seed', values.seed, 1),
    days: years > 0 ? years * 365 : readNumber('days', values.days, 40),
    jobs: Math.max(1, readNumber('jobs', values.jobs, cores)),
    without: without as FaultKind[],
    actors: names(values.actors),
    isVerbose: values.verbose === true,
  };
}
