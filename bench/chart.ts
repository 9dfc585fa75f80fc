/** A bar of a chart: one contestant. */
export type Bar = { who: string; value: number; label: string };

/** A chart: its title and note, the date of the run, and the bars. */
export type Chart = { title: string; note: string; date: string; bars: readonly Bar[] };

const WIDTH = 720;
const LEFT = 190;
const RIGHT = 110;
const ROW = 26;
const TOP = 64;

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

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
