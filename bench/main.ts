import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { chosenMeasures, measureAll } from './measure-all.js';
import { installPackedPackage, linkPackedPackage } from './packed-package.js';
import { buildPackage, installContestants } from './prepare.js';
import { report } from './report.js';

// `npm run bench` writes bench/RESULTS.md. `npm run bench -- --quick` only prints, within a minute,
// and `--only speed,size` measures a part.
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
if (!isQuick && values.only === undefined) {
  writeFileSync(new URL('./RESULTS.md', import.meta.url), page);
  await import('./write-charts.js');
}
