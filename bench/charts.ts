import { type Bar, type Chart, describe } from './chart.js';

type Row = Readonly<Record<string, string>>;

const dateIn = (text: string) => /measured on (\d{4}-\d\d-\d\d)/i.exec(text)?.[1];

const sectionOf = (results: string, heading: string) =>
  results.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';

/** Returns the rows of the table below a heading of bench/RESULTS.md. */
function rowsBelow(results: string, heading: string): Row[] {
  const section = sectionOf(results, heading);
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  const [heads = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  if (rows.length === 0) throw new Error(`bench/RESULTS.md has no table "${heading}"`);
  return rows.map((cells) => Object.fromEntries(heads.map((head, i) => [head, cells[i] ?? ''])));
}

const isPeer = ({ who = '' }: Row) => !/again|withdrawal|over |CommonJS|ky 1/.test(who);

/** Returns bars for the rows whose cell starts with a figure. */
function bars(rows: readonly Row[], column: string): Bar[] {
  return rows.filter(isPeer).flatMap((row) => {
    const cell = Object.entries(row).find(([head]) => head.startsWith(column))?.[1] ?? '';
    const [label, value] = /^(-?[\d.]+) \S+/.exec(cell) ?? [];
    return label === undefined ? [] : [{ who: row['who'] ?? '', value: Number(value), label }];
  });
}

/** The source of a chart: the table, its rows, and the column with the figures. */
const CHARTS = {
  'bench-cpu-get': {
    title: 'CPU time of one GET',
    note: 'Less is better.',
    table: 'CPU of one call',
    what: 'GET, 1 at once',
    column: 'CPU per call',
  },
  'bench-cpu-post': {
    title: 'CPU time of one POST',
    note: 'Less is better.',
    table: 'CPU of one call',
    what: 'POST, 1 at once',
    column: 'CPU per call',
  },
  'bench-cold-start': {
    title: 'Cold start: import and first call',
    note: 'In excess of an empty Node process. Less is better.',
    table: 'Cold start',
    what: 'import and first call',
    column: 'in excess of empty',
  },
  'bench-bundle': {
    title: 'Code that a page loads until its first response',
    note: 'After gzip. Less is better.',
    table: 'In a browser',
    what: undefined,
    column: 'until the first response',
  },
} as const;

/** The charts of bench/RESULTS.md by their name: a section with a date of its own was measured then. */
export function chartsOf(results: string): ReadonlyMap<string, Chart> {
  const charts = Object.entries(CHARTS).map(([name, { title, note, table, what, column }]) => {
    const date = dateIn(sectionOf(results, table)) ?? dateIn(results);
    if (date === undefined) throw new Error('bench/RESULTS.md has no date');
    const rows = rowsBelow(results, table).filter((row) => row['what'] === what);
    return [name, { title, note, date, bars: bars(rows, column) }] as const;
  });
  return new Map(charts);
}

const BEGIN = '<!-- charts -->\n';
const END = '<!-- /charts -->';

/** Returns the page of measurements with the pictures of the charts, whose text alternatives hold the figures. */
export function withCharts(page: string, charts: ReadonlyMap<string, Chart>): string {
  const [before, after] = [page.split(BEGIN)[0], page.split(END)[1]];
  const pictures = [...charts].map(
    ([name, chart]) => `![${describe(chart)}](../images/${name}.svg)\n`,
  );
  return `${before}${BEGIN}\n${pictures.join('\n')}\n${END}${after}`;
}
