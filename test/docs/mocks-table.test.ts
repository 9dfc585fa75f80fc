import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const guide = readFileSync(new URL('docs/frameworks/runtimes.md', ROOT), 'utf8');
const [, section = ''] = guide.split('### Mocks, proxies and instrumentations');
const rows = section.split('\n').filter((line) => /^\| (?!---|mock or)/.test(line));

it.each(rows)('the mocks table of runtimes.md names only existing test files: %s', (row) => {
  const tests = [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
  expect(tests).not.toEqual([]);
  expect(tests.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
});
