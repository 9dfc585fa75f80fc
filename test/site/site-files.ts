import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GUIDES } from '../docs/guides.js';

/** The site that `npm run site` writes. */
export const SITE = fileURLToPath(new URL('../../site/dist/', import.meta.url));

if (!existsSync(join(SITE, 'index.html'))) throw new Error('run `npm run site` first');

const all = readdirSync(SITE, { encoding: 'utf8', recursive: true });

const DAY_MS = 86_400_000;

/** With 5, as in `.ci/run`, tests open every fifth page with code and every fifth page of the API. */
export const STEP = Number(process.env['SITE_STEP'] ?? 1);

/** Returns every fifth item, others every day, so that all of them are tested in the end. */
export const some = <Item>(items: readonly Item[]): Item[] => {
  const first = Math.floor(Date.now() / DAY_MS) % STEP;
  return items.filter((_, index) => index % STEP === first);
};

/** Every page, by its path in the site. */
export const PAGES = all.filter((path) => path.endsWith('.html')).sort();

export const isApi = (path: string) => path.startsWith('api/');

/** The pages whose programs run: every guide, and the page of every endpoint. */
export const RUN_PAGES = [
  ...GUIDES.map((path) => (path === 'README.md' ? 'index.html' : path.replace(/\.md$/, '.html'))),
  ...PAGES.filter((path) => path.startsWith('docs/reference/endpoints/')),
];

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A file of the site. */
export const read = (path: string) => readFileSync(join(SITE, path), 'utf8');

/** A file of the repository. */
export const sourceFile = (path: string) => readFileSync(join(ROOT, path), 'utf8');
