import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOCS } from './guides.js';

const ROOT = new URL('../../', import.meta.url);
const atTop = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'AGENTS.md', 'examples/README.md'];
const pages = [...atTop, ...DOCS];

/** Returns the anchors that GitHub generates for the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it.each(pages)('every link in %s has an existing target', (path) => {
  const from = new URL(path, ROOT);
  const page = readFileSync(from, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const broken = [...page.matchAll(/\]\(([^)\s]+)\)/g)].filter(([, link = '']) => {
    if (/^https:/.test(link)) return false;
    const to = new URL(link, from);
    if (!existsSync(new URL(to.pathname, to))) return true;
    return to.hash !== '' && !anchorsOf(readFileSync(to, 'utf8')).includes(to.hash.slice(1));
  });
  expect(broken).toEqual([]);
});

it('examples/README.md lists every example', () => {
  const folders = readdirSync(new URL('examples/', ROOT), { withFileTypes: true });
  const examples = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const index = readFileSync(new URL('examples/README.md', ROOT), 'utf8');
  expect(examples.filter((example) => !index.includes(`[${example}](${example}/`))).toEqual([]);
});

it('docs/README.md lists every page', () => {
  const index = readFileSync(new URL('docs/README.md', ROOT), 'utf8');
  const listed = DOCS.filter((path) => path !== 'docs/README.md');
  expect(listed.length).toBeGreaterThan(30);
  expect(listed.filter((path) => !index.includes(`${path.slice('docs/'.length)})`))).toEqual([]);
});
