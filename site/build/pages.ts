import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The folder that the site is written to. */
export const OUT = join(ROOT, 'site', 'dist');
/** The folder of the pages as VitePress reads them. */
export const PAGES = join(ROOT, 'site', '.pages');

/** A Markdown file of the repository that becomes a page. */
export type SitePage = {
  /** The path from the root of the repository. The page has the same path, with another ending. */
  path: string;
  title: string;
  /** The heading of the navigation that it is listed under. */
  group: string;
  /** What the page covers, if docs/README.md describes it. */
  summary: string;
};

export const readPage = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const manifest = JSON.parse(readPage('package.json'));

/** Name, version and address of the package. */
export const PACKAGE = {
  name: String(manifest.name),
  version: String(manifest.version),
  description: String(manifest.description),
  repository: String(manifest.repository.url).replace(/^git\+|\.git$/g, ''),
};

/** How documents that the package ships link to files that it does not ship. */
const ADDRESSES = [
  `${PACKAGE.repository}/blob/main/`,
  `${PACKAGE.repository.replace('github.com', 'raw.githubusercontent.com')}/main/`,
];

/** The path of a file to which an address in the repository leads. */
export function pathInRepository(address: string): string | undefined {
  const start = ADDRESSES.find((one) => address.startsWith(one));
  return start && address.slice(start.length);
}

/** Returns the first heading of a page, as plain text. */
const titleOf = (text: string) => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? '';

function markdownIn(folder: string, recursive = false): string[] {
  return readdirSync(join(ROOT, folder), { encoding: 'utf8', recursive })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => posix.join(folder, name))
    .sort();
}

const LINK = /^\| \[([^\]]+)\]\(([^)#]+\.md)\) \| ([^|\n]+) \|$/gm;

/** The pages in the order and under the headings of docs/README.md. */
function listed(): SitePage[] {
  return readPage('docs/README.md')
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const group = section.slice(0, section.indexOf('\n'));
      return [...section.matchAll(LINK)].map(([, title = '', link = '', summary = '']) => ({
        path: pathInRepository(link) ?? posix.join('docs', link),
        title,
        group,
        summary,
      }));
    });
}

/**
 * Every page of the site. The order and the headings are those of docs/README.md; a file that is
 * not listed there follows under a heading of its own.
 */
export function sitePages(): SitePage[] {
  const known = listed();
  const page = (path: string, group: string): SitePage => ({
    path,
    title: titleOf(readPage(path)),
    group,
    summary: '',
  });
  const projects = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'AGENTS.md'];
  const examples = readdirSync(join(ROOT, 'examples')).map((name) => `examples/${name}/README.md`);
  const all = [
    { ...page('docs/README.md', ''), title: 'All documentation' },
    ...known,
    ...markdownIn('docs', true).map((path) => page(path, 'More')),
    page('examples/README.md', 'Examples'),
    ...examples
      .filter((path) => existsSync(join(ROOT, path)))
      .map((path) => page(path, 'Examples')),
    ...projects.map((path) => page(path, 'Project')),
  ];
  return all.filter(({ path }, index) => all.findIndex((one) => one.path === path) === index);
}
