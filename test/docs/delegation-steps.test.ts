import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DELEGATION_STEPS, stepMessages } from '../../src/delegation/progress.js';

const page = readFileSync(new URL('../../docs/own-wallet/concepts.md', import.meta.url), 'utf8');

it('concepts.md shows the steps of a delegation with their messages', () => {
  const [, section = ''] = page.split('\n## Progress\n');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| `([\w-]+)` \| (.+) \|$/gm)].map(([, ...cells]) => cells);
  const messages = stepMessages(false);
  expect(rows).toEqual(DELEGATION_STEPS.map((step) => [step, messages[step][0]]));
});

it('the diagram of concepts.md numbers the steps in their order', () => {
  const numbered = [...page.matchAll(/\[(\d) ([a-z-]+)[:\]]/g)].map(([, number, step]) => [
    Number(number),
    step,
  ]);
  const byNumber = (all: readonly (readonly unknown[])[]) =>
    [...all].sort(([one], [other]) => Number(one) - Number(other));
  expect(byNumber(numbered)).toEqual(DELEGATION_STEPS.map((step, index) => [index + 1, step]));
});
