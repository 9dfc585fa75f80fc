import { readFileSync, writeFileSync } from 'node:fs';
import { drawChart } from './chart.js';
import { chartsOf } from './charts.js';

// `npm run bench` runs it after it has measured; alone it draws the figures of the last run again.
const results = readFileSync(new URL('./RESULTS.md', import.meta.url), 'utf8');
for (const [name, chart] of chartsOf(results)) {
  writeFileSync(new URL(`../docs/images/${name}.svg`, import.meta.url), drawChart(chart));
}
