import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { installWorkerd, withWorker, writeWorker } from '../test/runtimes/workerd.js';
import {
  type Contestant,
  moduleOf,
  OPENAI,
  OURS,
  OURS_OF_ENDPOINTS,
  RAW_FETCH,
  STRIPE,
} from './contestants.js';
import { median } from './measure.js';
import type { Section } from './report.js';
import { cell } from './targets.js';

const RUNNER = fileURLToPath(new URL('./first-request.mjs', import.meta.url));
const CONTESTANTS = [RAW_FETCH, OURS, OURS_OF_ENDPOINTS, STRIPE, OPENAI];

/** A place where a program starts for a request. */
type Place = {
  name: string;
  /** Bundles the contestant into a folder. Returns a function that measures one start. */
  prepare: (contestant: Contestant, folder: string) => Promise<() => Promise<Start>>;
};

/** Milliseconds until the code was loaded, where that can be measured, and until the response. */
type Start = { loaded?: number; responded: number };

const connectTo = (contestant: Contestant) =>
  `import { connect } from '${moduleOf(contestant).pathname}';\n`;

function inLambda(baseUrl: string): Place {
  return {
    name: 'one file, as in Lambda',
    prepare: async (contestant, folder) => {
      const contents = `${connectTo(contestant)}
        export const handler = (baseUrl) => connect(baseUrl).get();`;
      const outfile = join(folder, 'lambda.cjs');
      await build({
        stdin: { contents, resolveDir: folder },
        ...{ outfile, bundle: true, format: 'cjs', platform: 'node', target: 'node20' },
        // The package, not the sources to which the paths of this repository lead.
        tsconfigRaw: {},
        logLevel: 'error',
      });
      return async () =>
        JSON.parse(
          execFileSync(process.execPath, [RUNNER, outfile, baseUrl], { encoding: 'utf8' }),
        );
    },
  };
}

function inWorkerd(baseUrl: string, program: string): Place {
  return {
    name: 'workerd',
    prepare: async (contestant, folder) => {
      const entry = join(folder, 'entry.mjs');
      const source = `${connectTo(contestant)}
        export default {
          fetch: async () => Response.json((await connect('${baseUrl}').get()).status),
        };`;
      writeFileSync(entry, source);
      const config = await writeWorker(entry, folder);
      return async () => {
        const startedAt = performance.now();
        return withWorker(program, config, async (url) => {
          const response = await fetch(url);
          if ((await response.json()) !== 'ACTIVE') throw new Error('the worker failed');
          return { responded: performance.now() - startedAt };
        });
      };
    },
  };
}

const shown = (value: number) => `${value.toFixed(1)} ms`;

function rowsOf(place: string, measured: ReadonlyMap<Contestant, readonly Start[]>) {
  const medianOf = (contestant: Contestant) =>
    median((measured.get(contestant) ?? []).map(({ responded }) => responded));
  return [...measured].map(([contestant, starts]) => {
    const isOurs = contestant === OURS || contestant === OURS_OF_ENDPOINTS;
    const sorted = starts.map(({ responded }) => responded).sort((one, other) => one - other);
    const loaded = starts.flatMap(({ loaded }) => loaded ?? []);
    const isMet = medianOf(contestant) <= medianOf(STRIPE);
    return [
      (medianOf(contestant) / medianOf(OURS)).toFixed(2),
      place,
      contestant.name,
      `${shown(medianOf(contestant))} (${sorted[0]?.toFixed(1)} to ${sorted.at(-1)?.toFixed(1)})`,
      loaded.length === 0 ? '' : shown(median(loaded)),
      cell(isOurs ? { text: `at most ${STRIPE.name}`, isMet } : undefined),
    ];
  });
}

/** Measures the first request of a program that starts for it. */
export async function measureFirstRequest(baseUrl: string, isQuick: boolean): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'first-request-'));
  const load = loadavg()[0]?.toFixed(1);
  const rows: string[][] = [];
  for (const { name, prepare } of [inLambda(baseUrl), inWorkerd(baseUrl, installWorkerd())]) {
    const runs: { contestant: Contestant; start: () => Promise<Start> }[] = [];
    for (const contestant of CONTESTANTS) {
      const own = join(folder, name, contestant.module);
      mkdirSync(own, { recursive: true });
      runs.push({ contestant, start: await prepare(contestant, own) });
    }
    const measured = new Map<Contestant, Start[]>(CONTESTANTS.map((one) => [one, []]));
    // In turn, so that a busy machine slows all of them equally.
    for (let round = 0; round < (isQuick ? 3 : 31); round++) {
      for (const { contestant, start } of runs) measured.get(contestant)?.push(await start());
    }
    rows.push(...rowsOf(name, measured));
  }
  rmSync(folder, { recursive: true });
  return {
    title: 'First request of a program that starts for it',
    note: `A bundle by esbuild in one file, not minified, and one GET. In Node the time from loading the bundle until the response; in workerd the time from starting workerd. Ratios are relative to this client. The load average of the machine was ${load} before.`,
    heads: ['ratio', 'where', 'who', 'until the response (spread)', 'loading the bundle', 'target'],
    rows,
  };
}
