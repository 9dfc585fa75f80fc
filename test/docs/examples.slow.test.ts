import { expect, it } from 'vitest';
import { allExamples, checkExamples } from './examples.js';

const examples = allExamples();

it('README, docs and TSDoc have examples', () => {
  expect(examples.length).toBeGreaterThan(60);
});

it('every example compiles', () => {
  expect(checkExamples(examples)).toEqual([]);
});

it('an example that does not compile is found', () => {
  const wrong = { name: 'wrong', code: "user.card.order({ type: 'METAL' });" };
  expect(checkExamples([wrong])).toHaveLength(1);
});
