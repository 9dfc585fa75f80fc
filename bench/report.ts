/** A table of figures. */
export type Section = {
  title: string;
  /** How the table was measured, if its headings do not show it. */
  note?: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
};

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Puts measured sections in place of those of an earlier report, each with the date of its own. */
export function withSections(earlier: string, sections: readonly Section[], date: string): string {
  return sections.reduce((page, { note = '', ...section }) => {
    const dated = { ...section, note: `Measured on ${date}. ${note}` };
    const parts = page.split(/^(?=## )/m);
    const index = parts.findIndex((part) => part.startsWith(`## ${section.title}\n`));
    if (index < 0) throw new Error(`the report has no section "${section.title}"`);
    return parts
      .with(index, `${tableOf(dated)}\n\n`)
      .join('')
      .trimEnd()
      .concat('\n');
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
export function report(sections: readonly Section[], machine: string, date: string): string {
  const tables = sections.map(tableOf);
  const head = [
    '# Measured',
    '',
    `By \`npm run bench\` on ${machine}. Measured on ${date}.`,
    '',
    'Figures are medians of alternating rounds against a server in another process; raw `fetch` runs twice',
    'so that the noise shows. Ratios come first, because they hold on other machines; the figures beside them do',
    'not. Rows of this client have a target (`bench/targets.ts`).',
  ].join('\n');
  return `${[head, ...tables].join('\n\n')}\n`;
}
