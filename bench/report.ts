/** A table of figures. */
export type Section = {
  title: string;
  /** How the table was measured, if its headings do not show it. */
  note?: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
};

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Returns the report as Markdown. */
export function report(sections: readonly Section[], machine: string, date: string): string {
  const tables = sections.map(({ title, note, heads, rows }) =>
    [
      ...[`## ${title}`, ''],
      ...(note === undefined ? [] : [note, '']),
      ...[line(heads), line(heads.map(() => '---')), ...rows.map(line)],
    ].join('\n'),
  );
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
