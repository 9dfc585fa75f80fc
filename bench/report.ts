/** A table of figures. */
export type Section = {
  title: string;
  /** How the table was measured, if its headings do not show it. */
  note?: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
};

/** Returns a number of bytes as a table shows it. */
export const kilobytes = (bytes: number, decimals = 1) => `${(bytes / 1_000).toFixed(decimals)} kB`;

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Puts measured sections in place of those of an earlier report, each with the date and the commit of its own. */
export function withSections(earlier: string, sections: readonly Section[], when: string): string {
  return sections.reduce((page, { note = '', ...section }) => {
    const dated = { ...section, note: `Measured on ${when}. ${note}` };
    const parts = page.split(/^(?=## )/m);
    const index = parts.findIndex((part) => part.startsWith(`## ${section.title}\n`));
    const table = `${tableOf(dated)}\n\n`;
    if (index < 0) return `${page.trimEnd()}\n\n${table.trimEnd()}\n`;
    return parts.with(index, table).join('').trimEnd().concat('\n');
  }, earlier);
}

function tableOf({ title, note, heads, rows }: Section): string {
  return [
    ...[`## ${title}`, ''],
    ...(note === undefined ? [] : [note, '']),
    ...[line(heads), line(heads.map(() => '---')), ...rows.map(line)],
  ].join('\n');
}

/** Returns the report as Markdown. */
export function report(sections: readonly Section[], machine: string, when: string): string {
  const tables = sections.map(tableOf);
  const head = [
    '# Measured',
    '',
    `By \`npm run bench\` on ${machine}. Measured on ${when}.`,
    '',
    'Figures are medians of alternating rounds against a server in another process; raw `fetch` runs twice',
    'so that the noise shows. Ratios come first, because they hold on other machines; the figures beside them do',
    'not. Rows of this client have a target (`bench/targets.ts`).',
  ].join('\n');
  return `${[head, ...tables].join('\n\n')}\n`;
}
