import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { npm } from '../support/npm.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

/** The files that npm would pack now. Those of the build may be missing. */
const [packed] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'], ROOT));
const files = new Set<string>(packed.files.map(({ path }: { path: string }) => path));
const pages = [...files].filter((path) => /\.md$|^llms\.txt$/.test(path)).sort();

const repository = String(JSON.parse(read('package.json')).repository.url)
  .replace(/^git\+/, '')
  .replace(/\.git$/, '');

/** The addresses of a page, outside of its code blocks. */
const linksOf = (path: string) =>
  [
    ...read(path)
      .replace(/^```[\s\S]*?^```/gm, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, link = '']) => link);

it('ships the guides and the security policy', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/README.md']));
  expect(pages.length).toBeGreaterThan(40);
  expect([...files].filter((path) => path.endsWith('.png'))).toEqual([]);
});

it.each(pages)('every relative link in %s leads to a file of the package', (path) => {
  const relative = linksOf(path).filter((link) => !/^(?:https?:|#)/.test(link));
  const targets = relative.map((link) => posix.join(posix.dirname(path), link.replace(/#.*/, '')));
  expect(targets.filter((target) => !files.has(target))).toEqual([]);
});

it.each(pages)('every link in %s into the repository leads to a file', (path) => {
  const isOurs = /^https:\/\/(?:github|raw\.githubusercontent)\.com\/[^/]+\/card-platform-sdk/;
  const raw = repository.replace('github.com', 'raw.githubusercontent.com');
  const broken = linksOf(path)
    .filter((link) => isOurs.test(link))
    .filter((link) => {
      const target = [`${repository}/blob/main/`, `${raw}/main/`].find((start) =>
        link.startsWith(start),
      );
      const file = target === undefined ? undefined : link.slice(target.length).replace(/#.*/, '');
      return file === undefined || !existsSync(`${ROOT}${file}`);
    });
  expect(broken).toEqual([]);
});
