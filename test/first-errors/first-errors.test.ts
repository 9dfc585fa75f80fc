import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { FIRST_ERRORS, meet } from './first-errors.js';

/** What Node prints of an uncaught error after the line of code that threw it. */
const MOST_BYTES = 4_096;
/** Longer lines are cut by consoles and logs. */
const LONGEST_LINE = 300;

const withoutStack = (error: Error) => `${error.name}: ${error.message}`;

it('says in each of the first errors what happened and what to do, as reviewed in the fixture', async () => {
  const sections = [];
  for (const one of FIRST_ERRORS) {
    const error = (await meet(one)) as Error;
    sections.push(`## ${one[0]}\n\n${withoutStack(error)}\n`);
  }
  await expect(sections.join('\n')).toMatchFileSnapshot('../fixtures/first-errors.md');
});

it.each(FIRST_ERRORS)('prints %s in few lines, the message first', async (...one) => {
  const error = (await meet(one)) as Error;
  const printed = inspect(error);
  const [first = ''] = printed.split('\n');
  expect(Buffer.byteLength(printed)).toBeLessThan(MOST_BYTES);
  expect(first).toContain(error.message);
  expect(first.length).toBeLessThanOrEqual(LONGEST_LINE);
  expect(first).toMatch(/[.)?]$/);
});

it.each([
  ['more money than there is', 'no money moved'],
  ['an amount with a comma', 'no money moved'],
  ['a withdrawal whose response is lost', 'Money may have moved: do not send it again.'],
])('says of %s whether money may have moved', async (title, words) => {
  const found = FIRST_ERRORS.find(([name]) => name === title);
  if (found === undefined) throw new Error(`there is no error "${title}"`);
  expect(String(await meet(found))).toContain(words);
});
