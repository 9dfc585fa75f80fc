import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { copyInput } from '../../src/transport/request/copy-input.js';
import { regexLiterals } from './regex-literals.js';

// A browser that cannot read one of them runs nothing of the file: Safari before 16.4 has no look-behind.
it('no regular expression of the source needs a browser that is newer than 2022', () => {
  const literals = regexLiterals('src');
  expect(literals.length).toBeGreaterThan(60);
  const tooNew = literals.filter(
    ({ source, flags }) => /\(\?(?:<[!=]|[ims-]+:)/.test(source) || /[dv]/.test(flags),
  );
  expect(tooNew).toEqual([]);
});

it('no file of the source composes one with look-behind', () => {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `src/${path}`);
  expect(paths.length).toBeGreaterThan(400);
  expect(paths.filter((path) => /\(\?<[!=]/.test(readFileSync(path, 'utf8')))).toEqual([]);
});

it.each([
  ['', true],
  ['\u{1f600}', true],
  ['a\u{1f600}\u{10ffff}b', true],
  ['\ud83d', false],
  ['\ude00', false],
  ['\ude00\ud83d', false],
  ['\u{1f600}\ude00', false],
  ['\ud83d\u{1f600}', false],
])('well-formed text differs from text with half a character: %j', (text, isWellFormed) => {
  expect(copyInput({ text }).issues.length === 0).toBe(isWellFormed);
});
