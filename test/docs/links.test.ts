import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const inDocs = readdirSync(new URL('docs/', ROOT), { recursive: true, encoding: 'utf8' });
const atTop = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'AGENTS.md', 'examples/README.md'];
const paths = [...atTop, ...inDocs.map((p) => `docs/${p}`)];
const pages = paths.filter((path) => path.endsWith('.md'));

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

it('README.md and docs/README.md list every guide', () => {
  const guides = readdirSync(new URL('docs/guides/', ROOT));
  for (const index of ['README.md', 'docs/README.md']) {
    const page = readFileSync(new URL(index, ROOT), 'utf8');
    expect(guides.filter((guide) => !page.includes(`guides/${guide})`))).toEqual([]);
  }
});
