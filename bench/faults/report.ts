import { getCell, MEASURES, postCell, WAITING, WRONG_OUTCOME } from './cell.js';
import { TIMEOUT_MS } from './client-process.js';
import { CLIENTS, versionOf } from './clients.js';
import type { Results, RowResults } from './measure.js';
import { ROWS, type Row } from './rows.js';

export const BEGIN = '<!-- faults:peers -->';
export const END = '<!-- /faults:peers -->';

function table(title: string, lines: readonly (readonly string[])[]): string {
  const head = [title, ...CLIENTS.map(({ name }) => name)];
  const all = [head, head.map(() => '---'), ...lines];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const versions = () => CLIENTS.map((client) => `${client.name} ${versionOf(client)}`).join(', ');

const calls = (kind: 'post' | 'get') =>
  CLIENTS.map((client) => `\`${client[kind]}\` (${client.name})`).join(', ');

const introduction = () => `These tables are written by \`npm run faults:peers\`. Do not edit them.

Measured: ${versions()}, on Node ${process.versions.node.split('.')[0]}.

Every client has its defaults, except for an address on loopback, fake credentials and a timeout of
${TIMEOUT_MS / 1_000} s for an attempt. Every call has a server of its own, which repeats the fault each time.

- POST: ${calls('post')}. The openai call moves no money, but it is billed.
- GET: ${calls('get')}.
- Secrets: the key, the access token and a password. They are looked for in these two calls and in
  a third, a POST with the password in its body. The places are the error's message and stack,
  \`util.inspect\`, \`JSON.stringify\`, and what the process prints.

How to read a cell:

- \`3×\` is the number of whole requests that reached the server.
- \`(idempotency key)\` means that all of them carried the same \`Idempotency-Key\` header. A service
  that honours it acts once. stripe sends such a key with every POST, so its retries are safe there.
  lithic takes a \`token\` for this purpose in the body of its call, if you pass one.
- \`typed error\` is an error class of the library, \`raw\` is any other error. \`resolves\` is a result
  without an error. \`${WAITING}\` is neither, also where \`Retry-After\` is the reason.
- For this client, the \`outcome\` of the error stands in place of \`typed error\`. The errors of the
  other clients have none. \`(wrong)\` marks an outcome that contradicts what the server knows.
- \`{"status":"FAILED"}\` is no refusal to the GET of this client: it is a card whose status the
  client does not know, and a program that reads must survive a new one.
- \`follows\` means that the client sent a request to the address of the redirect.

The others can turn retries off: \`maxNetworkRetries: 0\` in stripe, \`maxRetries: 0\` in lithic and
openai.`;

type Found = readonly (readonly [Row, RowResults])[];

/**
 * Counts the faults in which a measure happened. Returns a dash for a client that reports no
 * outcomes.
 */
function count(found: Found, label: string, happens: (typeof MEASURES)[string]): string {
  const ends = found.flatMap(([, { money, read }]) => [money.end, read.end]);
  const hasOutcomes = ends.some((end) => end.kind === 'rejected' && end.outcome !== undefined);
  if (label === WRONG_OUTCOME && !hasOutcomes) return '–';
  return String(found.filter(([row, results]) => happens(results, row)).length);
}

/** Returns the generated part of docs/evidence/reliability.md. */
export function report(results: Results): string {
  const of = (row: Row) =>
    CLIENTS.map((client) => results.get(client)?.get(row)).filter((found) => found !== undefined);
  const lines = (render: (results: RowResults, row: Row) => string) =>
    ROWS.map((row) => [row.label, ...of(row).map((found) => render(found, row))]);
  const totals = Object.entries(MEASURES).map(([label, happens]) => [
    label,
    ...CLIENTS.map((client) => count([...(results.get(client) ?? [])], label, happens)),
  ]);
  return [
    BEGIN,
    introduction(),
    table(`Of ${ROWS.length} faults`, totals),
    '### A POST that moves money',
    table('fault', lines(postCell)),
    '### A GET',
    table('fault', lines(getCell)),
    END,
  ].join('\n\n');
}
