import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Contestant, moduleOf, OTHERS, OURS, RAW_FETCH } from './contestants.js';
import { median } from './measure.js';
import { PACKED } from './packed-package.js';
import type { Section } from './report.js';
import { atMost, cell, LIMITS } from './targets.js';

const COUNTER = fileURLToPath(new URL('./count-files.mjs', import.meta.url));
const OUR_CJS = join(PACKED.folder, 'dist', 'index.cjs');
// The client is only constructed with this address. Nothing is sent to it.
const NOWHERE = 'http://127.0.0.1:9';

type Start = {
  name: string;
  contestant: Contestant | undefined;
  /** Returns the script of the process. */
  file: string;
  times: number[];
};

function script(contestant: Contestant, rest: string): string {
  return `import { connect } from '${moduleOf(contestant).href}';\n${rest}`;
}

function processTime(file: string): number {
  const startedAt = performance.now();
  execFileSync(process.execPath, [file]);
  return performance.now() - startedAt;
}

/** Returns the number of files that Node loads before the first call. */
function filesOf(contestant: Contestant): string {
  return execFileSync(process.execPath, [COUNTER, moduleOf(contestant).href], {
    encoding: 'utf8',
  }).trim();
}

function starts(folder: string, baseUrl: string) {
  const write = (file: string, source: string) => {
    writeFileSync(join(folder, file), source);
    return join(folder, file);
  };
  const empty: Start = {
    ...{ name: 'empty', contestant: undefined, times: [] },
    file: write('empty.mjs', ''),
  };
  const make = (contestant: Contestant, kind: 'import' | 'call'): Start => {
    const rest =
      kind === 'import'
        ? `connect('${NOWHERE}');`
        : // Ended at once, because a kept-alive connection would hold the process for seconds.
          `await connect('${baseUrl}').get();\nprocess.exit();`;
    const file = write(`${contestant.module}-${kind}.mjs`, script(contestant, rest));
    return { name: contestant.name, contestant, file, times: [] };
  };
  const cjs: Start = {
    ...{ name: 'this client, CommonJS', contestant: undefined, times: [] },
    file: write(
      'ours.cjs',
      `const { CardPlatformClient } = require('${OUR_CJS}');
       new CardPlatformClient({ baseUrl: '${NOWHERE}', clientKey: 'k' });`,
    ),
  };
  const imports = [...[OURS, ...OTHERS].map((one) => make(one, 'import')), cjs];
  const calls = [RAW_FETCH, OURS, ...OTHERS].map((one) => make(one, 'call'));
  return { empty, imports, calls };
}

/**
 * Measures import and construction, alone and with the first call, in excess of an empty process.
 */
export function measureColdStart(baseUrl: string, isQuick: boolean): Section {
  const folder = mkdtempSync(join(tmpdir(), 'cold-start-'));
  const { empty, imports, calls } = starts(folder, baseUrl);
  // In turn, so that a busy machine slows all of them equally.
  for (let round = 0; round < (isQuick ? 3 : 31); round++) {
    for (const start of [empty, ...imports, ...calls]) start.times.push(processTime(start.file));
  }
  rmSync(folder, { recursive: true });
  const base = median(empty.times);
  const rowsOf = (group: readonly Start[], what: string) => {
    const over = ({ times }: Start) => median(times) - base;
    const ours = group.find(({ contestant }) => contestant === OURS);
    return group.map((start) => {
      const { name, contestant, times } = start;
      const isOurs = contestant === OURS || contestant === undefined;
      const sorted = times.map((time) => time - base).sort((one, other) => one - other);
      return [
        ours === undefined ? '' : (over(start) / over(ours)).toFixed(2),
        what,
        name,
        `${over(start).toFixed(1)} ms (${sorted[0]?.toFixed(1)} to ${sorted.at(-1)?.toFixed(1)})`,
        contestant === undefined || what !== 'import' ? '' : filesOf(contestant),
        cell(
          isOurs && what === 'import'
            ? atMost(over(start) / base, LIMITS.coldStart, 'of the empty process')
            : undefined,
        ),
      ];
    });
  };
  return {
    title: 'Cold start in excess of an empty Node process',
    note: `Import and construction, alone and with the first call. Ratios are relative to this client. The empty process takes ${base.toFixed(1)} ms.`,
    heads: ['ratio', 'what', 'who', 'in excess of empty (spread)', 'files loaded', 'target'],
    rows: [...rowsOf(imports, 'import'), ...rowsOf(calls, 'import and first call')],
  };
}
