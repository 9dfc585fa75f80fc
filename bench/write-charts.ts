import { readFileSync, writeFileSync } from 'node:fs';
import { chartsOf, drawChart, withCharts } from './charts.js';

// `npm run bench` runs this file after it has measured. Run alone, it draws the figures of the last
// run again.
const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const charts = chartsOf(read('bench/RESULTS.md'));
for (const [name, chart] of charts) {
  writeFileSync(new URL(`docs/images/${name}.svg`, root), drawChart(chart));
}
const page = 'docs/evidence/measured.md';
writeFileSync(new URL(page, root), withCharts(read(page), charts));
