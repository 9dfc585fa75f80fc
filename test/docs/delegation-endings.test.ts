import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  DELEGATION_MESSAGES,
  NOT_REGISTERED,
} from '../../examples/card-page/src/delegation-messages.js';

const ROOT = new URL('../../', import.meta.url);
const OUTCOMES = ['not_sent', 'rejected', 'unknown', 'executed'];
/** The codes that only one of the flows can end with. Every other code is in both tables. */
const ONLY: Readonly<Record<string, string>> = {
  wrong_chain: 'evm',
  approval_would_revert: 'evm',
  token_decimals_differ: 'evm',
  spender_without_code: 'evm',
  transaction_replaced: 'evm',
  transaction_cancelled: 'evm',
  token_account_unusable: 'solana',
  delegate_in_use: 'solana',
  transaction_expired: 'solana',
  transaction_refused: 'solana',
};
/** Endings that are not errors of a delegation. */
const OTHER_ENDINGS = [
  'success, `accepted`',
  'success, `already-approved`',
  'success, `found-in-wallets`',
  'success, `not-submitted`',
  'faucet late or declined',
  'aborted',
  'an error of the client, for example `ApiError`',
  '`RequestValidationError`',
];

type Row = { ending: string; code: string | undefined; outcomes: string[]; cells: string[] };

const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

function rowsOf(chain: string): Row[] {
  const guide = read(`docs/own-wallet/${chain}-delegation.md`);
  const [, table = ''] = guide.split(/<!-- \/?endings -->/);
  const lines = table.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, ending = '', outcome = ''] = cells;
    const outcomes = OUTCOMES.filter((name) => outcome.includes(`\`${name}\``));
    return { ending, code: /^`([a-z_]+)`/.exec(ending)?.[1], outcomes, cells: cells.slice(1, -1) };
  });
}

const codesIn = (text: string) => [...text.matchAll(/\| '(\w+)'/g)].map(([, code = '']) => code);

/** The codes of `ChainErrorCode`, as the source declares them. */
const codes = codesIn(
  /type ChainErrorCode =([^;]+);/.exec(read('src/errors/error-codes.ts'))?.[1] ?? '',
);

/** The outcomes that the source sets next to a code, and whether one of them is computed. */
function outcomesInSource(code: string): { fixed: string[]; isComputed: boolean } {
  const files = ['src/delegation/', 'src/evm/', 'src/solana/'].flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true })
      .filter((name) => String(name).endsWith('.ts'))
      .map((name) => read(`${folder}${name}`)),
  );
  const set = new RegExp(`\\bcode: '${code}',\\s*outcome(?:: (.+?))?,`, 'g');
  const values = files.flatMap((text) => [...text.matchAll(set)].map(([, value]) => value ?? ''));
  expect(values, `where ${code} is created`).not.toEqual([]);
  const literals = values.flatMap((value) => [...value.matchAll(/'(\w+)'/g)].map(([, o]) => o));
  const fixed = OUTCOMES.filter((outcome) => literals.includes(outcome));
  return { fixed, isComputed: values.some((value) => !/^'\w+'$/.test(value)) };
}

it('the search for codes finds those of the source', () => {
  expect(codes.length).toBeGreaterThan(30);
  expect(codes).toContain('user_rejected');
  expect(codes.filter((code) => !(code in DELEGATION_MESSAGES))).toEqual([]);
});

describe.each(['evm', 'solana'])('the table of endings in the %s guide', (chain) => {
  const rows = rowsOf(chain);
  const expected = codes.filter((code) => (ONLY[code] ?? chain) === chain);

  it.each(expected)('has the code %s, with its outcomes and the words of the card page', (code) => {
    const own = rows.filter((row) => row.code === code);
    expect(own, 'rows').not.toEqual([]);
    const shown = [...new Set(own.flatMap(({ outcomes }) => outcomes))];
    const { fixed, isComputed } = outcomesInSource(code);
    expect(shown, 'an outcome in the table').not.toEqual([]);
    expect(shown).toEqual(expect.arrayContaining(fixed));
    if (!isComputed) expect(shown.sort()).toEqual(fixed.sort());
    const words = Object.entries(DELEGATION_MESSAGES).find(([name]) => name === code)?.[1];
    expect(own.map(({ cells }) => cells[4])).toContain(words);
  });

  it.each(OTHER_ENDINGS)('has the ending "%s"', (ending) => {
    expect(rows.map((row) => row.ending)).toContain(ending);
  });

  it('has the words of the card page for a refused proof', () => {
    const refused = rows.find(({ ending }) => ending.includes('`ApiError`'));
    expect(refused?.cells[4]).toBe(NOT_REGISTERED);
  });

  it('names no ending that does not exist', () => {
    const known = [...expected, undefined];
    expect(rows.filter(({ code }) => !known.includes(code)).map(({ ending }) => ending)).toEqual(
      [],
    );
    const others = rows.filter(({ code }) => code === undefined).map(({ ending }) => ending);
    expect(others.sort()).toEqual([...OTHER_ENDINGS].sort());
  });

  it('says in every row what happened, what was paid, what to say and what is next', () => {
    const incomplete = rows.filter(({ cells }) => cells.length !== 6 || cells.includes(''));
    expect(incomplete.map(({ ending }) => ending)).toEqual([]);
  });
});

it('every value of registration has a row', () => {
  const source = /type Registration =([^;]+);/.exec(read('src/delegation/state.ts'))?.[1] ?? '';
  const known = [...source.matchAll(/'([\w-]+)'/g)].map(([, name]) => `success, \`${name}\``);
  expect(known).toHaveLength(3);
  expect(OTHER_ENDINGS).toEqual(expect.arrayContaining(known));
});
