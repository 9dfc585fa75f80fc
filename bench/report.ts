/** A table of figures. */
export type Section = {
  title: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
};

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** The report as Markdown. */
export function report(sections: readonly Section[], machine: string): string {
  const tables = sections.map(({ title, heads, rows }) =>
    [`## ${title}`, '', line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n'),
  );
  const head = `# Measured\n\nBy \`npm run bench\` on ${machine}. Figures are medians of alternated rounds;\nraw \`fetch\` runs twice so that the noise shows.`;
  return `${[head, ...tables].join('\n\n')}\n`;
}
