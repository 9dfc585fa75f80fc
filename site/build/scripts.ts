import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { fileOf } from '../client/run/modules.js';
import { ROOT, readPage } from './pages.js';

const CLIENT = join(ROOT, 'site', 'client');
const MODULE = 'module-of-a-program:';
const manifest = JSON.parse(readPage('package.json'));

/** The built file of an entry of the package, such as `card-platform-sdk/evm`. */
function builtFile(name: string): string | undefined {
  const entry = manifest.exports[name.replace('card-platform-sdk', '.')];
  return entry?.import && join(ROOT, entry.import.default);
}

/** Test files that are replaced in a page, by the end of their path. */
const REPLACED: Readonly<Record<string, string>> = {
  './chain-scenes.js': 'run/kit-scenes.ts',
  './page-setup.js': 'run/page-setup.ts',
  './contract-rows.js': 'explorer/contract-rows.ts',
  vitest: 'run/vitest.ts',
  'node:vm': 'run/node-vm.ts',
  'card-platform-sdk': 'run/sdk.ts',
  'card-platform-sdk/endpoints': 'run/sdk-endpoints.ts',
  'card-platform-sdk/testing': 'run/sdk-testing.ts',
};

/**
 * Resolves the package to its build, modules that only tests have to their replacements in a page,
 * and provides each module that programs import. @solana/web3.js expects a global `Buffer`.
 */
const forPages: Plugin = {
  name: 'for-pages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${MODULE}`) }, ({ path }) => ({ path, namespace: MODULE }));
    onLoad({ filter: /./, namespace: MODULE }, ({ path }) => {
      const name = path.slice(MODULE.length);
      const buffer = `import { Buffer } from 'buffer'; globalThis.Buffer ??= Buffer;`;
      const contents = `import * as it from '${name}'; export { it };`;
      return { contents: name.includes('web3') ? buffer + contents : contents, resolveDir: ROOT };
    });
    onResolve({ filter: /^@package\// }, ({ path }) => ({
      path: builtFile(path.replace('@package/', '')) ?? path,
    }));
    onResolve({ filter: /./ }, ({ path, importer, namespace }) => {
      const replacement = REPLACED[path];
      const isOwn =
        namespace === MODULE || importer.startsWith(CLIENT) || importer.includes('/test/');
      if (replacement !== undefined && isOwn) return { path: join(CLIENT, replacement) };
      if (path.startsWith('node:') && isOwn) return { path: join(CLIENT, 'run/no-node.ts') };
      const file = path.startsWith('card-platform-sdk') ? builtFile(path) : undefined;
      return file === undefined ? undefined : { path: file };
    });
  },
};

/** Scripts by their path, and the modules that run in a page. */
export type Scripts = { files: ReadonlyMap<string, Uint8Array>; bundled: ReadonlySet<string> };

async function bundle(entryPoints: Record<string, string>): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    splitting: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'silent',
    outdir: '/scripts',
    chunkNames: 'chunk-[hash]',
    loader: { '.md': 'text' },
    define: { 'process.env.NODE_ENV': '"production"', __filename: '""' },
    plugins: [forPages],
  });
  return new Map(outputFiles.map(({ path, contents }) => [relative('/scripts', path), contents]));
}

/** The file of a bundle's entry, without its ending. */
const entryOf = (name: string) => fileOf(name).replace(/\.js$/, '');

/** Whether a module can be bundled for a page. */
async function runsInPage(name: string): Promise<boolean> {
  if (isBuiltin(name)) return false;
  const it = bundle({ [entryOf(name)]: `${MODULE}${name}` });
  return it.then(
    () => true,
    () => false,
  );
}

/**
 * Bundles what programs of pages need: the runner, the explorer, the editor with the compiler, and
 * each module that a program imports. One that cannot run in a page is left out.
 */
export async function bundleScripts(modules: Iterable<string>): Promise<Scripts> {
  const wanted = [...new Set([...modules, 'viem', 'viem/chains', '@solana/web3.js'])];
  const runs = await Promise.all(wanted.map(runsInPage));
  const able = wanted.filter((_, index) => runs[index]);
  const files = await bundle({
    main: join(CLIENT, 'run/main.ts'),
    explorer: join(CLIENT, 'explorer/main.ts'),
    editor: join(CLIENT, 'editor/main.ts'),
    ...Object.fromEntries(able.map((name) => [entryOf(name), `${MODULE}${name}`])),
  });
  // The setups of the guides replace it.
  return { files, bundled: new Set([...able, 'card-platform-sdk/openapi.json']) };
}

/** Writes the files into a folder that is named after their content, and returns its name. */
export function writeScripts(files: ReadonlyMap<string, string | Uint8Array>, to: string): string {
  const hash = createHash('sha256');
  for (const [path, content] of files) hash.update(path).update(content);
  const folder = `run-${hash.digest('hex').slice(0, 8)}`;
  for (const [path, content] of files) {
    const file = join(to, folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}
