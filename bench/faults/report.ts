import { CLIENTS, LIMIT_MS, TIMEOUT_MS, versionOf } from './clients.js';
import type { Result, Results, RowResults } from './measure.js';
import { ROWS, type Row } from './rows.js';

const WRONG_OUTCOME = 'The outcome contradicts what happened';
const WAITING = `still waiting after ${LIMIT_MS / 1_000} s`;

/**
 * Whether the outcome contradicts what the server knows: the request arrived, or was carried out.
 */
function isWrong({ end, requests }: Result, wasExecuted = false): boolean {
  if (end.kind !== 'rejected' || requests === 0) return false;
  return end.outcome === 'not_sent' || (wasExecuted && end.outcome === 'rejected');
}

/** Whether the caller received an error that is not one of the library's. */
function isRaw({ end }: Result): boolean {
  return end.kind === 'rejected' && !end.isTyped;
}

function endOf(result: Result): string {
  const { end } = result;
  if (end.kind === 'resolved') return 'resolves';
  if (end.kind === 'waiting') return WAITING;
  if (end.kind !== 'rejected') return 'ends the process';
  return isRaw(result) ? `raw ${end.name}` : (end.outcome ?? 'typed error');
}

const SPOKEN: Readonly<Record<string, string>> = { accessToken: 'access token' };

/** Returns one cell of the table: requests, the result of the call, and side effects. */
function cell(result: Result, secretsIn: readonly Result[], wasExecuted?: boolean): string {
  const { requests, hasOneKey, isFollowed } = result;
  const key = requests > 1 && hasOneKey ? ' (idempotency key)' : '';
  const spoken = (names: readonly string[]) =>
    [...new Set(names)].map((name) => SPOKEN[name] ?? name);
  return [
    `${requests}×${key}`,
    endOf(result) + (isWrong(result, wasExecuted) ? ' (wrong)' : ''),
    ...(isFollowed ? ['follows'] : []),
    ...spoken(secretsIn.flatMap(({ leaked }) => leaked)).map((name) => `leaks ${name}`),
    ...spoken(secretsIn.flatMap(({ elsewhere }) => elsewhere)).map(
      (name) => `${name} to another origin`,
    ),
  ].join(' · ');
}

/** Returns the cell of the POST. It also shows secrets leaked by the POST with a password. */
export const postCell = ({ money, login }: RowResults, { wasExecuted }: Row) =>
  cell(money, [money, login], wasExecuted);

/** Returns the cell of the GET. */
export const getCell = ({ read }: RowResults) => cell(read, [read]);

/** The measures of the totals. Each counts the faults in which something happened. */
export const MEASURES: Readonly<Record<string, (results: RowResults, row: Row) => boolean>> = {
  'The POST reached the server more than once': ({ money }) => money.requests > 1,
  '... without an idempotency key': ({ money }) => money.requests > 1 && !money.hasOneKey,
  'The POST or the GET ended with a raw error': ({ money, read }) => [money, read].some(isRaw),
  [`The POST or the GET was ${WAITING}`]: ({ money, read }) =>
    [money, read].some(({ end }) => end.kind === 'waiting'),
  'The POST ended as a success': ({ money }) => money.end.kind === 'resolved',
  'The GET ended as a success': ({ read }) => read.end.kind === 'resolved',
  'A refusal with 200 ended as a success, POST': ({ money }, { wasRefused }) =>
    wasRefused === true && money.end.kind === 'resolved',
  [WRONG_OUTCOME]: ({ money, read }, { wasExecuted }) =>
    isWrong(money, wasExecuted) || isWrong(read),
  'An error contained a secret': (results) =>
    Object.values(results).some(({ leaked }) => leaked.length > 0),
  'A secret reached another origin': (results) =>
    Object.values(results).some(({ elsewhere }) => elsewhere.length > 0),
};

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
