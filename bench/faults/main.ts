import { readFileSync, writeFileSync } from 'node:fs';
import { buildPackage, installContestants } from '../prepare.js';
import { measureAll } from './measure.js';
import { BEGIN, END, report } from './report.js';

// `npm run faults:peers` runs this client and three public SDKs against the same faults, and writes
// the table into docs/evidence/reliability.md.
const PAGE = new URL('../../docs/evidence/reliability.md', import.meta.url);

buildPackage();
installContestants();
const generated = report(await measureAll());
const page = readFileSync(PAGE, 'utf8');
const [before, rest] = page.split(BEGIN);
const after = rest?.split(END)[1];
if (before === undefined || after === undefined) throw new Error(`${PAGE} has no ${BEGIN} part`);
writeFileSync(PAGE, before + generated + after);
console.log(generated);
