import { fileURLToPath } from 'node:url';
import { cardStatus } from '../src/contract/card.js';
import { check } from '../src/contract/check.js';
import type { Schema } from '../src/contract/schema.js';
import { walletHistory } from '../src/contract/wallet-history.js';
import type { Section } from './report.js';

const card = {
  id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e',
  holderName: 'ADA LOVELACE',
  expiryDate: '2030/01',
  panLast4: '4242',
  status: 'ACTIVE',
  type: 'VIRTUAL',
  orderedAt: '2026-01-01T00:00:00.000Z',
};
const page = Array.from({ length: 10 }, (_, index) => ({
  name: `Coffee ${index}`,
  amount: '12.50',
  currency: 'usdc',
  sign: 'debit',
  date: '2026-01-01T00:00:00.000Z',
}));

/** Microseconds of one run, of many in a row. */
function time(work: () => unknown, runs: number): number {
  const startedAt = performance.now();
  for (let i = 0; i < runs; i++) work();
  return ((performance.now() - startedAt) * 1000) / runs;
}

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** Parsing and checking in turn, so that a busy machine slows both alike. */
function compare(value: unknown, schema: Schema, isQuick: boolean) {
  const text = JSON.stringify(value);
  const parsed: unknown = JSON.parse(text);
  const runs = isQuick ? 2_000 : 10_000;
  const rounds = Array.from({ length: 41 }, () => ({
    parse: time(() => JSON.parse(text), runs),
    check: time(() => check(schema, parsed), runs),
  }));
  const measured = rounds.slice(10);
  return {
    parse: median(measured.map(({ parse }) => parse)),
    check: median(measured.map((round) => round.check)),
    ratio: median(measured.map((round) => round.check / round.parse)),
  };
}

/** What checking an answer costs against parsing it. */
export function measureValidation(isQuick: boolean): Section {
  const answers: [string, unknown, Schema | undefined][] = [
    ['a card', card, cardStatus.answers[200]?.schema],
    ['a page of ten transactions', page, walletHistory.answers[200]?.schema],
  ];
  const rows = answers.flatMap(([name, value, schema]) => {
    if (schema === undefined) return [];
    const { parse, check: checked, ratio } = compare(value, schema, isQuick);
    return [[ratio.toFixed(2), name, `${checked.toFixed(2)} µs`, `${parse.toFixed(2)} µs`]];
  });
  return {
    title: 'Checking an answer against `JSON.parse` of the same bytes',
    heads: ['ratio', 'what', 'check', '`JSON.parse`'],
    rows,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const row of measureValidation(false).rows) console.log(row.join(' | '));
}
