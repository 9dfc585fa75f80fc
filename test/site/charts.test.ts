import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chartsOf, describe as describeChart, drawChart, withResults } from '../../bench/charts.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const results = read('bench/RESULTS.md');
const charts = chartsOf(results);

describe('the charts of the benchmarks', () => {
  it.each([...charts])('%s is drawn from bench/RESULTS.md', (name, chart) => {
    expect(read(`docs/images/${name}.svg`)).toBe(drawChart(chart));
  });

  it.each([...charts])('%s shows this client, its peers and the date of the run', (_, chart) => {
    expect(chart.bars.map(({ who }) => who)).toEqual(
      expect.arrayContaining(['this client', 'openai', 'stripe']),
    );
    expect(chart.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const { label } of chart.bars) expect(describeChart(chart)).toContain(label);
  });

  it('are in the documentation, with their figures as text and the targets that are missed', () => {
    const page = read('docs/evidence/measured.md');
    expect(withResults(page, results)).toBe(page);
  });

  it('need a date and a table in the results', () => {
    expect(() => chartsOf('# Measured')).toThrow('no date');
    expect(() => chartsOf('Measured on 2026-01-01.')).toThrow('no table');
  });
});
