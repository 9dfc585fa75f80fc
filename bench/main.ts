import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { buildPackage, installContestants } from './prepare.js';
import { report } from './report.js';

// `npm run bench` writes bench/RESULTS.md; `npm run bench -- --quick` only prints, in a minute.
const isQuick = process.argv.includes('--quick');
buildPackage();
installContestants();
// Loaded after that, because it loads what was built.
const { measureAll } = await import('./measure-all.js');
const sections = await measureAll(isQuick);
const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}`;
const page = report(sections, machine);
console.log(page);
if (!isQuick) writeFileSync(new URL('./RESULTS.md', import.meta.url), page);
