import { escapeXml } from '../scripts/generate/svg.js';

/** A bar of a chart: one contestant. */
type Bar = { who: string; value: number; label: string };

/** A chart: its title and note, the date of the run, and the bars. */
type Chart = { title: string; note: string; date: string; bars: readonly Bar[] };

const WIDTH = 720;
const LEFT = 190;
const RIGHT = 110;
const ROW = 26;
const TOP = 64;

/** The text alternative of a chart: everything that its bars show. */
export function describe({ title, date, bars }: Chart): string {
  const values = bars.map(({ who, label }) => `${who} ${label}`).join(', ');
  return `${title}, measured on ${date}: ${values}.`;
}

/** Returns a chart as an SVG that is readable on light and on dark pages. */
export function drawChart(chart: Chart): string {
  const { title, note, date, bars } = chart;
  const most = Math.max(...bars.map(({ value }) => value));
  const rows = bars.flatMap(({ who, value, label }, index) => {
    const y = TOP + index * ROW;
    const length = Math.max(1, ((WIDTH - LEFT - RIGHT) * Math.max(0, value)) / most);
    const style = who.startsWith('this client') ? 'ours' : 'other';
    return [
      `<text x="${LEFT - 8}" y="${y + 14}" text-anchor="end">${escapeXml(who)}</text>`,
      `<rect class="${style}" x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="18" rx="3"/>`,
      `<text x="${(LEFT + length + 6).toFixed(1)}" y="${y + 14}">${escapeXml(label)}</text>`,
    ];
  });
  const height = TOP + bars.length * ROW + 8;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escapeXml(describe(chart))}</title>`,
    '<style>',
    'text{font:14px system-ui,sans-serif;fill:#1f2933}.head{font-weight:600;font-size:16px}',
    '.ours{fill:#1769aa}.other{fill:#8795a1}.back{fill:#fff}',
    '@media(prefers-color-scheme:dark){text{fill:#e4e7eb}.ours{fill:#63b3ed}.back{fill:#1b1f24}}',
    '</style>',
    `<rect class="back" width="${WIDTH}" height="${height}" rx="8"/>`,
    `<text class="head" x="16" y="26">${escapeXml(title)}</text>`,
    `<text x="16" y="48">${escapeXml(`${note} Measured on ${date}.`)}</text>`,
    ...rows,
    '</svg>',
  ].join('\n')}\n`;
}

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

/** Rows that only show the noise, or the same client in another form. */
const isDrawn = ({ who = '' }: Row) => !/again|CommonJS|ky 1/.test(who);

/** Returns bars for the rows whose cell starts with a figure. */
function bars(rows: readonly Row[], column: string): Bar[] {
  return rows.filter(isDrawn).flatMap((row) => {
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
    note: 'It logs in, reads the card and withdraws. By Vite, after gzip. Less is better.',
    table: 'A page that logs in',
    what: undefined,
    column: 'Vite',
  },
  'bench-first-call': {
    title: 'From opening a page until its login',
    note: 'In Chromium; every response and script comes 100 ms late. Less is better.',
    table: 'A page that logs in',
    what: undefined,
    column: 'from the start, Chromium',
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

/** Columns that say what a row measures. */
const TEXT_COLUMNS: ReadonlySet<string> = new Set(['what', 'who', 'where', 'step', 'calls']);

/** Returns the figures of this client that miss their target, as a table. */
function missedTargets(results: string): string {
  const titles = [...results.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
  const rows = titles.flatMap((title) =>
    rowsBelow(results, title).flatMap((row) => {
      const [, target = ''] = Object.entries(row).find(([head]) => head.startsWith('target')) ?? [];
      if (!target.includes('missed')) return [];
      const { ratio = '', ...cells } = row;
      const entries = Object.entries(cells);
      const what = entries.filter(([head]) => TEXT_COLUMNS.has(head)).map(([, cell]) => cell);
      const [[, figure = ''] = []] = entries.filter(([head]) => !TEXT_COLUMNS.has(head));
      const text = target.replace(': **missed**', '');
      return [`| ${title} | ${what.join(', ')} | ${figure} | ${ratio} | ${text} |`];
    }),
  );
  const heads = [
    '| measured | what | figure | ratio | target |',
    '| --- | --- | --- | --- | --- |',
  ];
  return [...heads, ...rows].join('\n');
}

/** Returns a page with another text between the two comments of a name. */
function replaced(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  return `${page.split(begin)[0]}${begin}\n${text}\n\n${end}${page.split(end)[1]}`;
}

/**
 * Returns the page of measurements with the pictures of the charts, whose text alternatives contain the
 * figures, and with the targets that are missed.
 */
export function withResults(page: string, results: string): string {
  const pictures = [...chartsOf(results)].map(
    ([name, chart]) => `![${describe(chart)}](../images/${name}.svg)`,
  );
  const withCharts = replaced(page, 'charts', pictures.join('\n\n'));
  return replaced(withCharts, 'targets', missedTargets(results));
}
