import { expect, it } from 'vitest';
import { allExamples, checkExamples } from './check-examples.js';

const examples = allExamples();

it('README, docs and TSDoc contain more than 60 examples', () => {
  expect(examples.length).toBeGreaterThan(60);
});

it('every example in README, docs and TSDoc compiles', () => {
  expect(checkExamples(examples)).toEqual([]);
});

it('the check reports an example that does not compile', () => {
  const wrong = { name: 'wrong', code: "userClient.card.order({ type: 'METAL' });" };
  expect(checkExamples([wrong])).toHaveLength(1);
});
