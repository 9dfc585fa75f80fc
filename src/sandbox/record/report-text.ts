import type { CountedDifference, ReportData } from './report.js';

const HEADINGS: Readonly<Record<CountedDifference['kind'], string>> = {
  'unknown-endpoint': 'Unknown endpoints',
  'unknown-field': 'Unknown fields',
  'missing-field': 'Missing fields',
  'other-type': 'Other types',
  'other-value': 'Other values',
  'other-format': 'Other formats',
  'other-status': 'Other statuses',
  'unknown-refusal': 'Refusals in unknown words',
  'other-media-type': 'Other media types',
};

function row({ operation, side, path, message, count, first }: CountedDifference): string {
  const place = path === '' ? side : `${side}, \`${path}\``;
  return `| \`${operation}\` | ${place} | ${message} | ${count} | \`${first}\` |`;
}

function section(kind: CountedDifference['kind'], { differences }: ReportData): string[] {
  const rows = differences.filter((one) => one.kind === kind);
  if (rows.length === 0) return [];
  const head = [
    '| endpoint | where | difference | times | first |',
    '| --- | --- | --- | --- | --- |',
  ];
  return [`## ${HEADINGS[kind]}`, '', ...head, ...rows.map(row), ''];
}

/** Returns a report as Markdown. */
export function reportText(data: ReportData): string {
  const { exchanges, broken, differences, operations, undocumented } = data;
  const kinds = Object.keys(HEADINGS) as CountedDifference['kind'][];
  const fields = Object.entries(undocumented);
  return [
    '# Recording',
    '',
    `${exchanges} exchanges, ${broken} calls without a complete response, ${differences.length} differences from the contract.`,
    '',
    ...kinds.flatMap((kind) => section(kind, data)),
    ...(fields.length === 0 ? [] : ['## Fields that the contract does not show', '']),
    ...fields.map(([id, names]) => `- \`${id}\`: ${names.map((name) => `\`${name}\``).join(', ')}`),
    ...(fields.length === 0 ? [] : ['']),
    '## Calls',
    '',
    ...Object.entries(operations).map(([id, count]) => `- \`${id}\`: ${count}`),
    '',
  ].join('\n');
}
