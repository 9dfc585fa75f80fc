import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { GUIDES } from '../../test/docs/guides.js';
import {
  PACKAGE,
  PAGES,
  pathInRepository,
  ROOT,
  readPage,
  type SitePage,
  sitePages,
} from './pages.js';
import type { PageProgram } from './programs.js';

/** Writes a file of the site's source. */
export function writeStaged(path: string, text: string): void {
  const file = join(PAGES, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Where a link of a document leads: to a page of the site, to a picture, or into the repository. */
function linkFrom(page: string, link: string, pages: ReadonlySet<string>): string {
  const [path = '', anchor] = link.split('#');
  const inRepository = pathInRepository(path);
  if (inRepository === undefined && (/^[a-z]+:/i.test(link) || path === '')) return link;
  const target = inRepository ?? posix.join(posix.dirname(page), path).replace(/\/$/, '');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const to = (file: string) => `${posix.relative(posix.dirname(page), file)}${hash}`;
  if (target === 'README.md') return `${to('index.md')}`.replace(/#.*/, '');
  if (pages.has(target)) return to(target);
  if (pages.has(`${target}/README.md`)) return to(`${target}/README.md`);
  if (/\.(?:svg|png)$/.test(target)) return to(target);
  return `${PACKAGE.repository}/blob/main/${target}${hash}`;
}

/** A fenced block, or text outside of one. */
const PARTS = /(^```[\s\S]*?^```$)/m;

/** Returns a document with links that lead somewhere on the site. */
function withSiteLinks(text: string, page: string, pages: ReadonlySet<string>): string {
  return text
    .split(PARTS)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(
            /(\]\()([^)\s]+)(?=\))/g,
            (_, open: string, link: string) => `${open}${linkFrom(page, link, pages)}`,
          ),
    )
    .join('');
}

const CODE = /^```(?:ts|typescript|js|javascript)\n[\s\S]*?^```$/gm;

/** The component that runs a block, or the reason why it does not run in a page. */
export function runTag(page: string, number: number, program: PageProgram | undefined): string {
  if (program?.compiled) return `<RunBlock page="${page}" :number="${number}" />`;
  return `<p class="why">Does not run here: ${program?.why}.</p>`;
}

/** Returns a guide with a Run button after each block. */
function withRuns(text: string, page: string, programs: readonly PageProgram[]): string {
  let number = 0;
  const found = text.match(CODE)?.length ?? 0;
  if (found !== programs.length) throw new Error(`${page}: ${found} of ${programs.length} blocks`);
  return text.replace(CODE, (code) => {
    const program = programs[number++];
    return `${code}\n\n${runTag(page, number, program)}\n`;
  });
}

/** The first paragraph, as one line of plain text. */
function firstParagraph(text: string): string {
  const paragraph = text
    .replace(PARTS, '')
    .split('\n\n')
    .find((part) => /^[A-Z`[]/.test(part));
  return (paragraph ?? '')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[`*_]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** At most this many characters of a description are shown by search engines. */
const DESCRIPTION_LENGTH = 160;

export function describe(text: string): string {
  if (text.length <= DESCRIPTION_LENGTH) return text;
  return `${text.slice(0, text.lastIndexOf(' ', DESCRIPTION_LENGTH - 1))}…`;
}

const frontMatter = (fields: Record<string, unknown>) =>
  `---\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n')}\n---\n\n`;

/** Writes a page with its description. */
export function stagePage(
  path: string,
  description: string,
  text: string,
  more: object = {},
): void {
  writeStaged(path, `${frontMatter({ description: describe(description), ...more })}${text}`);
}

/** The programs of a guide as the page loads them. */
const fileOfPrograms = (page: string) => `public/programs/${page.replaceAll('/', '_')}.json`;

/** Writes the programs of a page. */
export function stagePrograms(page: string, programs: readonly PageProgram[]): void {
  const files = programs.map(({ code, compiled }) => ({ code, compiled: compiled ?? null }));
  writeStaged(fileOfPrograms(page), JSON.stringify(files));
}

const TABLE = /^\| client method [\s\S]*?\n(?!\|)/m;

/** Replaces the table of endpoints by one that filters and leads to the pages. */
function withEndpointTable(text: string): string {
  if (!TABLE.test(text)) throw new Error('the page of endpoints has no table');
  return text.replace(TABLE, '\n<EndpointTable />\n');
}

function stageDocument(
  { path, summary }: SitePage,
  pages: ReadonlySet<string>,
  programs: readonly PageProgram[] | undefined,
): void {
  const source = readPage(path);
  const own = path === 'docs/reference/endpoints.md' ? withEndpointTable(source) : source;
  const linked = withSiteLinks(own, path, pages);
  const text = programs === undefined ? linked : withRuns(linked, path, programs);
  stagePage(path, summary || firstParagraph(source), text);
}

/**
 * Writes the documents of the repository as VitePress reads them. `programsOf` returns the programs
 * of a guide.
 */
export function stageDocuments(programsOf: (path: string) => PageProgram[]): void {
  const documents = sitePages();
  const pages = new Set(documents.map(({ path }) => path));
  for (const page of documents) {
    const programs = GUIDES.includes(page.path) ? programsOf(page.path) : undefined;
    stageDocument(page, pages, programs);
    if (programs !== undefined) stagePrograms(page.path, programs);
  }
  cpSync(join(ROOT, 'docs/images'), join(PAGES, 'docs/images'), { recursive: true });
  copyFileSync(join(ROOT, 'site/favicon.svg'), join(PAGES, 'public/favicon.svg'));
}
