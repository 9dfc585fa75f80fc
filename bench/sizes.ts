import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKED } from './packed-package.js';
import { weighPages } from './pages.js';
import { kilobytes } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = join(ROOT, 'bench/sizes.json');

/** The measured sizes: the only place of these figures. Documents get them from here. */
export type Sizes = {
  /** The commit that was measured. */
  readonly commit: string;
  /** The installed package, guides included. */
  readonly installed: { readonly files: number; readonly bytes: number };
  /** The bytes that a page loads after gzip, without peers, by page and bundler. */
  readonly pages: Readonly<Record<string, { readonly esbuild: number; readonly rollup: number }>>;
};

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Measures the packed package that `installPackedPackage` has installed. */
export async function measureSizes(): Promise<Sizes> {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  const files = filesIn(PACKED.folder);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const pages = await weighPages();
  const weights = pages.map(({ name, esbuild, rollup }) => [
    name,
    { esbuild: esbuild.gzipped, rollup: rollup.gzipped },
  ]);
  return {
    commit: commit.trim(),
    installed: { files: files.length, bytes },
    pages: Object.fromEntries(weights),
  };
}

/** Reads the stored sizes. */
export function readSizes(): Sizes {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** Stores measured sizes. */
export function writeSizes(sizes: Sizes): void {
  writeFileSync(FILE, `${JSON.stringify(sizes, null, 2)}\n`);
}

/** How much a size may differ from the stored one, as a share. Compression differs by some bytes. */
const TOLERANCE = 0.01;

function figuresOf({ installed, pages }: Sizes): ReadonlyMap<string, number> {
  const ofPages = Object.entries(pages).flatMap(([name, weights]) =>
    Object.entries(weights).map(([bundler, bytes]) => [`${name}, ${bundler}`, bytes] as const),
  );
  return new Map([['installed', installed.bytes], ...ofPages]);
}

/** Returns the sizes that differ from the stored ones by more than the tolerance, as sentences. */
export function sizeProblems(stored: Sizes, measured: Sizes): string[] {
  const known = figuresOf(stored);
  const found = figuresOf(measured);
  const names = new Set([...known.keys(), ...found.keys()]);
  return [...names].flatMap((name) => {
    const [before, now] = [known.get(name), found.get(name)];
    if (before === undefined) return [`${name}: ${now} bytes, not stored`];
    if (now === undefined) return [`${name}: stored, but not measured`];
    const isNear = Math.abs(now - before) <= before * TOLERANCE;
    return isNear ? [] : [`${name}: ${now} bytes, stored ${before}`];
  });
}

const ROOT_ENTRY = 'the root entry';

function pageOf({ pages }: Sizes, name: string): { esbuild: number; rollup: number } {
  const page = pages[name];
  if (page === undefined) throw new Error(`bench/sizes.json has no page "${name}"`);
  return page;
}

function pageTable({ commit, pages, installed }: Sizes): string {
  const rows = Object.entries(pages).map(
    ([name, { esbuild, rollup }]) => `| ${name} | ${kilobytes(esbuild)} | ${kilobytes(rollup)} |`,
  );
  const { files, bytes } = installed;
  return `
| a page with | esbuild | rollup |
| --- | --- | --- |
${rows.join('\n')}

Measured at commit \`${commit.slice(0, 12)}\`, after gzip, with everything that the page loads, without
peers. Installed, the package has ${files} files of ${(bytes / 1e6).toFixed(1)} MB, guides included, and
no dependency.
`;
}

/** The text of each marker in a document: `<!-- size: root -->39.0 kB<!-- /size -->`. */
const FIGURES: Readonly<Record<string, (sizes: Sizes) => string>> = {
  root: (sizes) => kilobytes(pageOf(sizes, ROOT_ENTRY).rollup),
  query: (sizes) => kilobytes(pageOf(sizes, '`/query`').rollup),
  'one-operation': (sizes) => kilobytes(pageOf(sizes, 'one operation').rollup),
  installed: ({ installed }) => `${(installed.bytes / 1e6).toFixed(1)} MB`,
  pages: pageTable,
};

/** The documents that have such figures. */
export const DOCUMENTS_WITH_SIZES = [
  'README.md',
  'docs/evidence/measured.md',
  'docs/frameworks/query.md',
] as const;

/**
 * Returns a document with the figures of measured sizes between its markers.
 *
 * @throws Error for a marker without a figure
 */
export function withSizes(text: string, sizes: Sizes): string {
  return text.replace(/<!-- size: ([a-z-]+) -->[\s\S]*?<!-- \/size -->/g, (_, name: string) => {
    const figure = FIGURES[name];
    if (figure === undefined) throw new Error(`there is no size "${name}"`);
    return `<!-- size: ${name} -->${figure(sizes)}<!-- /size -->`;
  });
}
