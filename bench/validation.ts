import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import CARD from './card.json' with { type: 'json' };
import { median } from './measure.js';
import { PACKED } from './packed-package.js';
import type { Section } from './report.js';
import { atMost, cell, LIMITS } from './targets.js';

type Schemas = typeof import('../src/schemas/index.js')['schemas'];

const PAGE = JSON.stringify(
  Array.from({ length: 10 }, (_, index) => ({
    name: `Coffee ${index}`,
    amount: '3.5',
    currency: 'usdc',
    sign: 'debit',
    date: '2026-01-01T00:00:00.000Z',
  })),
);

const casesOf = (schemas: Schemas) => [
  { name: 'a card', text: JSON.stringify(CARD), schema: schemas['card.status'].responses[200] },
  { name: 'a page of ten', text: PAGE, schema: schemas['wallets.history.list'].responses[200] },
];

/** Returns the microseconds of one turn. */
function time(turn: () => void, turns: number): number {
  const startedAt = performance.now();
  for (let i = 0; i < turns; i++) turn();
  return ((performance.now() - startedAt) * 1000) / turns;
}

/** Measures what validating a response adds to parsing it. */
export async function measureValidation(isQuick: boolean): Promise<Section> {
  // Imported by its address, so that the types of this file need no build.
  const address = pathToFileURL(join(PACKED.folder, 'dist', 'schemas.js')).href;
  const { schemas }: { schemas: Schemas } = await import(address);
  const rows = casesOf(schemas).flatMap(({ name, text, schema }) => {
    if (schema === undefined) throw new Error(`no schema for ${name}`);
    const value: unknown = JSON.parse(text);
    const accepted = schema['~standard'].validate(value);
    if (accepted instanceof Promise || accepted.issues !== undefined) throw new Error(name);
    const turns = 20_000;
    const parsing: number[] = [];
    const checking: number[] = [];
    time(() => JSON.parse(text), turns);
    time(() => schema['~standard'].validate(value), turns);
    for (let round = 0; round < (isQuick ? 5 : 31); round++) {
      parsing.push(time(() => JSON.parse(text), turns));
      checking.push(time(() => schema['~standard'].validate(value), turns));
    }
    const spread = (figures: readonly number[]) =>
      `${median(figures).toFixed(2)} µs (${Math.min(...figures).toFixed(2)} to ${Math.max(...figures).toFixed(2)})`;
    const ratio = median(checking) / median(parsing);
    return [
      [
        ratio.toFixed(2),
        name,
        'validation alone',
        spread(checking),
        cell(atMost(ratio, LIMITS.validation)),
      ],
      ['1.00', name, '`JSON.parse` of its text', spread(parsing), ''],
    ];
  });
  return {
    title: 'Validation of a response compared with `JSON.parse`',
    heads: ['ratio', 'what', 'step', 'time (spread of rounds)', 'target'],
    rows,
  };
}
