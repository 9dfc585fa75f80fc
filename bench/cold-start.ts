import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Section } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONSTRUCT = "new CardPlatformClient({ baseUrl: 'https://api.example.com', clientKey: 'k' });";

/** Milliseconds of whole processes, medians. */
function processTime(file: string, runs: number): number {
  const times = Array.from({ length: runs }, () => {
    const startedAt = performance.now();
    execFileSync(process.execPath, [file]);
    return performance.now() - startedAt;
  });
  return times.sort((one, other) => one - other)[Math.floor(runs / 2)] ?? 0;
}

/** Import and construction, over an empty process. */
export function measureColdStart(isQuick: boolean): Section {
  const folder = mkdtempSync(join(tmpdir(), 'cold-start-'));
  const write = (name: string, source: string) => {
    writeFileSync(join(folder, name), source);
    return join(folder, name);
  };
  const runs = isQuick ? 15 : 41;
  const empty = processTime(write('empty.mjs', ''), runs);
  const contestants: [string, string][] = [
    [
      'ESM',
      write('main.mjs', `import { CardPlatformClient } from '${ROOT}dist/index.js'; ${CONSTRUCT}`),
    ],
    [
      'CommonJS',
      write(
        'main.cjs',
        `const { CardPlatformClient } = require('${ROOT}dist/index.cjs'); ${CONSTRUCT}`,
      ),
    ],
  ];
  const rows = contestants.map(([name, file]) => {
    const time = processTime(file, runs);
    return [
      name,
      `${(time - empty).toFixed(1)} ms`,
      `${time.toFixed(1)} ms`,
      `${empty.toFixed(1)} ms`,
    ];
  });
  rmSync(folder, { recursive: true });
  return {
    title: 'Cold import and construction over an empty Node process',
    heads: ['format', 'over empty', 'whole process', 'empty process'],
    rows,
  };
}
