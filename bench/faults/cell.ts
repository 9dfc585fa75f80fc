import { LIMIT_MS } from './client-process.js';
import type { Result, RowResults } from './measure.js';
import type { Row } from './rows.js';

export const WRONG_OUTCOME = 'The outcome contradicts what happened';
export const WAITING = `still waiting after ${LIMIT_MS / 1_000} s`;

/**
 * Whether the outcome contradicts what the server knows: the request arrived, or was carried out.
 */
export function isWrong({ end, requests }: Result, wasExecuted = false): boolean {
  if (end.kind !== 'rejected' || requests === 0) return false;
  return end.outcome === 'not_sent' || (wasExecuted && end.outcome === 'rejected');
}

/** Whether the caller received an error that is not one of the library's. */
export function isRaw({ end }: Result): boolean {
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
