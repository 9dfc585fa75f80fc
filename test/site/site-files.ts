import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { GUIDES as EXECUTED } from '../docs/guides.js';

/** The site that `npm run site` writes. */
export const SITE = fileURLToPath(new URL('../../site/dist/', import.meta.url));

if (!existsSync(join(SITE, 'index.html'))) throw new Error('run `npm run site` first');

const all = readdirSync(SITE, { encoding: 'utf8', recursive: true });

/**
 * With 5, as in `.ci/run`, tests open every fifth page of the reference and press Run on every fifth
 * guide. Every other page is always opened.
 */
export const STEP = Number(process.env['SITE_STEP'] ?? 1);

/** Every page, by its path in the site. */
export const PAGES = all.filter((path) => path.endsWith('.html')).sort();

/** The Markdown copies of the pages. */
export const MARKDOWN = all
  .filter((path) => path.endsWith('.md') && !path.startsWith('media/'))
  .sort();

/** The style sheets. */
export const STYLES = all.filter((path) => path.endsWith('.css'));

/** The pages that have code to run. */
export const GUIDES = EXECUTED.map((path) =>
  path === 'README.md' ? 'index.html' : path.replace(/\.md$/, '.html'),
);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A file of the site. */
export const read = (path: string) => readFileSync(join(SITE, path), 'utf8');

/** A file of the repository. */
export const sourceFile = (path: string) => readFileSync(join(ROOT, path), 'utf8');

type Entry = { path?: string; children?: Entry[] };

/** The pages that the navigation leads to. */
export function navigationPaths(): string[] {
  const [, data = ''] = /"(.+)"/.exec(read('assets/navigation.js')) ?? [];
  const entries: Entry[] = JSON.parse(inflateSync(Buffer.from(data, 'base64')).toString());
  const pathsOf = ({ path, children = [] }: Entry): string[] => [
    ...(path === undefined ? [] : [path]),
    ...children.flatMap(pathsOf),
  ];
  return entries.flatMap(pathsOf);
}
