import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { chosenMeasures, measureAll } from './measure-all.js';
import { installPackedPackage, linkPackedPackage } from './packed-package.js';
import { buildPackage, installContestants } from './prepare.js';
import { report, withSections } from './report.js';

// `npm run bench` writes bench/RESULTS.md. `npm run bench -- --quick` only prints, within a minute,
// and `--only speed,size` measures a part and replaces its sections.
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const isQuick = values.quick === true;
const chosen = chosenMeasures(values.only);
buildPackage();
installPackedPackage();
installContestants();
linkPackedPackage();
const sections = await measureAll(chosen, isQuick);
const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}`;
const date = new Date().toISOString().slice(0, 10);
const page = report(sections, machine, date);
console.log(page);
if (!isQuick) {
  const results = new URL('./RESULTS.md', import.meta.url);
  const isWhole = values.only === undefined;
  const written = isWhole ? page : withSections(readFileSync(results, 'utf8'), sections, date);
  writeFileSync(results, written);
  await import('./write-charts.js');
}
