import { readFileSync, writeFileSync } from 'node:fs';
import { chartsOf, drawChart, withResults } from './charts.js';

// `npm run bench` runs this file after it has measured. Run alone, it draws the figures of the last
// run again.
const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const results = read('bench/RESULTS.md');
for (const [name, chart] of chartsOf(results)) {
  writeFileSync(new URL(`docs/images/${name}.svg`, root), drawChart(chart));
}
const page = 'docs/evidence/measured.md';
writeFileSync(new URL(page, root), withResults(read(page), results));
