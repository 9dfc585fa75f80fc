import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';
import { fileOf } from '../client/module-file.js';
import { OUT, ROOT, readPage } from './pages.js';
import { modulesOfGuides } from './run-markers.js';

const CLIENT = join(ROOT, 'site', 'client');
const manifest = JSON.parse(readPage('package.json'));

/** The built file of an entry of the package, such as `card-platform-sdk/evm`. */
export function builtFile(name: string, kind: 'default' | 'types' = 'default'): string | undefined {
  const entry = manifest.exports[name.replace('card-platform-sdk', '.')];
  return entry?.import && join(ROOT, entry.import[kind]);
}

/** Test files that are replaced in a page, by the end of their path. */
const REPLACED: Readonly<Record<string, string>> = {
  './chain-scenes.js': 'run/kit-scenes.ts',
  './page-setup.js': 'run/page-setup.ts',
  './contract-rows.js': 'explorer/contract-rows.ts',
  vitest: 'run/vitest.ts',
  typescript: 'run/typescript.ts',
  'node:vm': 'run/node-vm.ts',
  'card-platform-sdk': 'run/sdk.ts',
  'card-platform-sdk/endpoints': 'run/sdk-endpoints.ts',
  'card-platform-sdk/testing': 'run/sdk-testing.ts',
};

/**
 * Resolves the package to its build, and modules that only tests have to their replacements in a
 * page.
 */
const forPages: Plugin = {
  name: 'for-pages',
  setup({ onResolve }) {
    onResolve({ filter: /^@package\// }, ({ path }) => ({
      path: builtFile(path.replace('@package/', '')) ?? path,
    }));
    onResolve({ filter: /./ }, ({ path, importer }) => {
      const replacement = REPLACED[path];
      const isOwn = importer.startsWith(CLIENT) || importer.includes('/test/');
      if (replacement !== undefined && isOwn) return { path: join(CLIENT, replacement) };
      if (path.startsWith('node:') && isOwn) return { path: join(CLIENT, 'run/no-node.ts') };
      const file = path.startsWith('card-platform-sdk') ? builtFile(path) : undefined;
      return file === undefined ? undefined : { path: file };
    });
  },
};

/** A classic script: pages on disk cannot load modules. */
const OPTIONS = {
  bundle: true,
  write: false,
  minify: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'silent',
  loader: { '.md': 'text' },
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [forPages],
} satisfies BuildOptions;

async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({ ...OPTIONS, ...options, write: false });
  return outputFiles?.[0]?.text ?? '';
}

const clientScript = (entry: string) => bundle({ entryPoints: [join(CLIENT, entry)] });

/** Returns the script that runs programs, with every entry of the package that it does not leave to another one. */
function runScript(): Promise<string> {
  const names = Object.keys(manifest.exports)
    .filter((name) => !name.endsWith('.json'))
    .map((name) => name.replace('.', 'card-platform-sdk'))
    .filter((name) => fileOf(name) === 'run.js');
  const contents = [
    `import './run/main.js';`,
    ...names.map((name, index) => `import * as entry${index} from '${name}';`),
    ...names.map((name, index) => `cardSite.modules['${name}'] = entry${index};`),
  ].join('\n');
  return bundle({
    stdin: { contents, resolveDir: CLIENT, sourcefile: join(CLIENT, 'run-entries.js') },
  });
}

/** Returns the script that provides a module to the page. @solana/web3.js expects a global `Buffer`. */
function moduleScript(name: string): Promise<string> {
  const buffer = `import { Buffer } from 'buffer'; globalThis.Buffer ??= Buffer;`;
  const provide = `import * as it from '${name}'; cardSite.modules['${name}'] = it;`;
  const contents = name.includes('web3') ? `${buffer}\n${provide}` : provide;
  return bundle({ stdin: { contents, resolveDir: ROOT } });
}

/** The scripts of the site by their path in `assets`, and the modules that run in a page. */
export type Scripts = { files: ReadonlyMap<string, string>; bundled: ReadonlySet<string> };

/** Bundles everything that pages load. A module that cannot run in a page is left out. */
export async function bundleScripts(): Promise<Scripts> {
  const compiler = readFileSync(join(ROOT, 'node_modules/typescript/lib/typescript.js'), 'utf8');
  const files = new Map([
    ['page.js', await clientScript('page.ts')],
    ['run.js', await runScript()],
    ['explorer.js', await clientScript('explorer/main.ts')],
    ['editor.js', await clientScript('editor/main.ts')],
    ['typescript.js', (await transform(compiler, { minify: true, legalComments: 'none' })).code],
  ]);
  // The setups of the guides replace it.
  const bundled = new Set(['card-platform-sdk/openapi.json']);
  for (const name of new Set([...modulesOfGuides(), 'viem', 'viem/chains', '@solana/web3.js'])) {
    const script = fileOf(name) === 'run.js' ? '' : await moduleScript(name).catch(() => undefined);
    if (script === undefined) continue;
    bundled.add(name);
    if (script !== '') files.set(fileOf(name), script);
  }
  return { files, bundled };
}

/** Writes scripts into the folder `assets` of the site. */
export function writeScripts(files: ReadonlyMap<string, string>): void {
  for (const [name, text] of files) {
    const file = join(OUT, 'assets', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
