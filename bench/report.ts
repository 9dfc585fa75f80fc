/** A table of figures. */
export type Section = {
  title: string;
  /** How it was measured, where the heads do not say it. */
  note?: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
};

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** The report as Markdown. */
export function report(sections: readonly Section[], machine: string): string {
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
    `By \`npm run bench\` on ${machine}.`,
    '',
    'Figures are medians of alternated rounds against a server in another process; raw `fetch` runs twice',
    'so that the noise shows. Ratios come first: they hold on other machines, the figures beside them do',
    'not. A target stands beside each row of ours (`bench/targets.ts`).',
  ].join('\n');
  return `${[head, ...tables].join('\n\n')}\n`;
}
