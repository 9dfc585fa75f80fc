import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { type Plugin, rollup } from 'rollup';
import { PACKED } from './packed-package.js';
import { kilobytes, type Section } from './report.js';

const importOfEntry = (entry: string) => `export * from 'card-platform-sdk${entry}';`;

const ONE_OPERATION = `
  import { call, cardStatus, createClient } from 'card-platform-sdk/endpoints';
  export const status = (options) => call(createClient(options), cardStatus, {});`;
const ONE_OPERATION_OF_A_CLIENT = `
  import { call, cardStatus } from 'card-platform-sdk/endpoints';
  export const status = (client) => call(client, cardStatus, {});`;
const ROOT_AND_AN_OBSERVED_CALL = `
  export * from 'card-platform-sdk';
  import { call } from 'card-platform-sdk/endpoints';
  import { refreshOAuth } from 'card-platform-sdk/observed';
  export const refresh = (client, input) => call(client, refreshOAuth, input);`;
const ROOT_AND_OBSERVED = `
  export * from 'card-platform-sdk';
  export { observe } from 'card-platform-sdk/observed';`;
const ROOT_AND_A_RENEWAL = `
  export * from 'card-platform-sdk';
  import { renewOAuth } from 'card-platform-sdk/observed';
  export const renew = (client) => renewOAuth(client);`;
const flow = (name: string, entry: string) =>
  `export { ${name} } from 'card-platform-sdk${entry}';`;

/** Pages that load a part of the package; with `over`, in addition to an earlier page. */
const PAGES: readonly { name: string; source: string; over?: string }[] = [
  { name: 'the root entry', source: importOfEntry('') },
  { name: 'one operation', source: ONE_OPERATION },
  {
    name: 'one operation, client given',
    source: ONE_OPERATION_OF_A_CLIENT,
  },
  {
    name: 'one call of `/observed`, in addition to the root',
    source: ROOT_AND_AN_OBSERVED_CALL,
    over: 'the root entry',
  },
  {
    name: '`observe`, in addition to the root',
    source: ROOT_AND_OBSERVED,
    over: 'the root entry',
  },
  {
    name: '`renewOAuth` of `/observed`, in addition to the root',
    source: ROOT_AND_A_RENEWAL,
    over: 'the root entry',
  },
  { name: '`/evm`', source: importOfEntry('/evm') },
  {
    name: '`delegateEvm` of `/evm`',
    source: flow('delegateEvm', '/evm'),
  },
  { name: '`/solana`', source: importOfEntry('/solana') },
  {
    name: '`delegateSolana` of `/solana`',
    source: flow('delegateSolana', '/solana'),
  },
  { name: '`/query`', source: importOfEntry('/query') },
  { name: '`/schemas`', source: importOfEntry('/schemas') },
  { name: '`/testing`', source: importOfEntry('/testing') },
];

/** The names of the optional peers, which a page has for its own purposes. */
const PEERS = ['viem', 'viem/*', '@solana/*', 'msw', 'msw/*'];

/** One minified file that a bundler wrote for a page. */
type PageFile = {
  name: string;
  code: string | Uint8Array;
  /** Files that are loaded together with this one. */
  imports: readonly string[];
};

/** The bytes of everything that the page loads: after gzip, and minified. */
type PageWeight = { gzipped: number; minified: number };

/** Follows the imports of the entry. */
function weigh(files: readonly PageFile[], entry: string): PageWeight {
  const loaded = new Map<string, PageFile>();
  const load = (name: string) => {
    const file = files.find((one) => one.name === name);
    if (file === undefined || loaded.has(name)) return;
    loaded.set(name, file);
    file.imports.forEach(load);
  };
  load(entry);
  const codes = [...loaded.values()].map(({ code }) => code);
  return {
    gzipped: codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).byteLength, 0),
    minified: codes.reduce((sum, code) => sum + Buffer.byteLength(code), 0),
  };
}

/** Returns how much a browser loads for a page that esbuild bundles with code splitting. */
async function weighWithEsbuild(page: string, external: readonly string[]): Promise<PageWeight> {
  const { outputFiles, metafile } = await build({
    entryPoints: { page },
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: [...external],
    outdir: 'page',
    write: false,
    logLevel: 'error',
    // The paths in tsconfig.json would lead to the sources in place of the packed package.
    tsconfigRaw: {},
  });
  const importsOf = new Map(
    Object.entries(metafile.outputs).map(([name, { imports }]) => [
      basename(name),
      imports.flatMap(({ kind, path }) => (kind === 'import-statement' ? [basename(path)] : [])),
    ]),
  );
  const files = outputFiles.map(({ path, contents }) => ({
    name: basename(path),
    code: contents,
    imports: importsOf.get(basename(path)) ?? [],
  }));
  return weigh(files, 'page.js');
}

type Manifest = { name: string; exports: Record<string, { import?: { default: string } }> };

/** Finds the entries of the packed package, and respects its `sideEffects: false`. */
function packedPackage(): Plugin {
  const manifest: Manifest = JSON.parse(readFileSync(join(PACKED.folder, 'package.json'), 'utf8'));
  const entryOf = (source: string) =>
    manifest.exports[source.replace(manifest.name, '.')]?.import?.default;
  return {
    name: 'packed-package',
    resolveId(source, importer) {
      if (importer === undefined) return null;
      if (source.startsWith('.')) {
        return { id: resolve(dirname(importer), source), moduleSideEffects: false };
      }
      const entry = source.startsWith(manifest.name) ? entryOf(source) : undefined;
      return entry === undefined
        ? { id: source, external: true }
        : { id: join(PACKED.folder, entry), moduleSideEffects: false };
    },
  };
}

/** Returns how much a browser loads for a page that rollup bundles and esbuild minifies. */
async function weighWithRollup(page: string): Promise<PageWeight> {
  const bundle = await rollup({ input: { page }, plugins: [packedPackage()] });
  const { output } = await bundle.generate({ format: 'esm', entryFileNames: '[name].js' });
  const files = await Promise.all(
    output.flatMap((chunk) =>
      chunk.type === 'chunk'
        ? [
            transform(chunk.code, { minify: true, format: 'esm', target: 'es2022' }).then(
              ({ code }) => ({ name: chunk.fileName, code, imports: chunk.imports }),
            ),
          ]
        : [],
    ),
  );
  return weigh(files, 'page.js');
}

/** A page as two bundlers build it. */
export type Page = {
  name: string;
  esbuild: PageWeight;
  rollup: PageWeight;
};

/** Returns the bytes that a page loads in addition to those of another. */
function beyond(page: PageWeight, other: PageWeight | undefined): PageWeight {
  if (other === undefined) return page;
  return { gzipped: page.gzipped - other.gzipped, minified: page.minified - other.minified };
}

/** Weighs every page with the packed package. */
export async function weighPages(): Promise<Page[]> {
  const folder = join(PACKED.project, 'pages');
  mkdirSync(folder, { recursive: true });
  const pages: Page[] = [];
  for (const [index, { name, source, over }] of PAGES.entries()) {
    const file = join(folder, `page-${index}.js`);
    writeFileSync(file, source);
    const base = pages.find((page) => page.name === over);
    const esbuild = beyond(await weighWithEsbuild(file, PEERS), base?.esbuild);
    const rollup = beyond(await weighWithRollup(file), base?.rollup);
    pages.push({ name, esbuild, rollup });
  }
  return pages;
}

/** Measures how much pages load that use a part of the package, and the package's size on disk. */
export async function measurePages(): Promise<Section> {
  const pages = await weighPages();
  const rows = pages.flatMap(({ name, esbuild, rollup }) =>
    Object.entries({ esbuild, rollup }).map(([bundler, { gzipped }]) => [
      name,
      bundler,
      kilobytes(gzipped),
    ]),
  );
  const dist = join(PACKED.folder, 'dist');
  const files = readdirSync(dist);
  const bytes = files.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  return {
    title: 'Size',
    note: `What a page loads of the packed package. Gzip of each file at level 9; peers stay outside. On disk, \`dist\` has ${files.length} files of ${kilobytes(bytes)}.`,
    heads: ['page', 'bundler', 'loaded'],
    rows,
  };
}
