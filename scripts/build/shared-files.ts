import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const SRC = resolve('src');

/** Returns the sources that load together with the given ones, without those behind `import()`. */
function loadedWith(...entries: readonly string[]): ReadonlySet<string> {
  const { metafile } = buildSync({
    absWorkingDir: SRC,
    entryPoints: [...entries],
    bundle: true,
    packages: 'external',
    write: false,
    metafile: true,
    outdir: SRC,
  });
  const loaded = new Set<string>();
  const load = (source: string) => {
    if (loaded.has(source)) return;
    loaded.add(source);
    for (const { kind, path } of metafile.inputs[source]?.imports ?? []) {
      if (kind === 'import-statement') load(path);
    }
  };
  entries.forEach(load);
  return loaded;
}

const AT_ONCE = loadedWith('index.ts', 'endpoints/index.ts');
const WITH_A_CALL = loadedWith('transport/pipe.ts');

/** Matches the sources under some folders that fulfil a condition. */
function sourcesUnder(folders: RegExp, isLoaded: (source: string) => boolean) {
  return { test: (source: string) => folders.test(source) && isLoaded(source) };
}

/**
 * The files of the build that several entries import, with the sources of each. The first match
 * counts. If each entry had its own copy, `instanceof` would fail between entries.
 *
 * A bundler that splits code loads a whole file as soon as it needs one line of it. So sources that
 * load together share a file: the helpers of a chain need errors and formats but not the contract,
 * and a button that starts a flow does not need the flow itself.
 */
const SHARED: readonly (readonly [name: string, sources: Pick<RegExp, 'test'>])[] = [
  // Loaded by `import()`. Node never loads ky, and a page loads a flow when it starts. zod comes with
  // `pipe`, and at once with `/schemas` and `/testing`.
  ['ky', /^transport\/adapters\/ky\.ts$/],
  ['zod', /^contract\/provide-zod\.ts$/],
  ['evm-flow', /^evm\/flow\/run-evm-delegation\.ts$/],
  ['solana-flow', /^solana\/flow\/run-solana-delegation\.ts$/],
  // The checksum of an EVM address needs a hash function, and viem has one for `/evm`.
  ['core', /^contract\/formats\/evm-address\.ts$/],
  ['shared', /^(errors|contract\/formats)\//],
  // The folders of the transport, without the files above them. Those stay in the entries that send,
  // because an `import()` in a file makes esbuild keep everything that the pipe needs of it.
  ['core', sourcesUnder(/^(contract|transport\/\w+)\//, (source) => AT_ONCE.has(source))],
  // Needed by a call, but by no client before its first call. Pure functions and tables of the
  // contract that nothing loads at once have no file: each file that needs them has a copy.
  ['pipe', sourcesUnder(/^transport\//, (source) => WITH_A_CALL.has(source))],
  [
    'chain-errors',
    /^delegation\/(chain-error|flow-not-loaded|invalid|numbers|state-of-error|steps)\.ts$/,
  ],
  ['wallet-errors', /^delegation\/(wallet-errors|transaction-reverted-error)\.ts$/],
  ['delegation', /^delegation\//],
];

const PREFIX = 'shared-file:';

const fileOf = (source: string) => SHARED.find(([, sources]) => sources.test(source))?.[0];

const SOURCES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

const sourcesOf = (file: string) => SOURCES.filter((source) => fileOf(source) === file);

/** Returns the entry points of shared files. `sharedFiles` generates their source. */
export function sharedEntries(...names: string[]): Record<string, string> {
  const known = names.filter((name) => sourcesOf(name).length > 0);
  return Object.fromEntries(known.map((name) => [name, PREFIX + name]));
}

/** Makes every file import shared sources from their file instead of including them again. */
export function sharedFiles(): Plugin {
  return {
    name: 'shared-files',
    setup({ initialOptions, onResolve, onLoad }) {
      const extension = initialOptions.outExtension?.['.js'] ?? '.js';
      onResolve({ filter: new RegExp(`^${PREFIX}`) }, ({ path }) => ({
        path: path.slice(PREFIX.length),
        namespace: PREFIX,
      }));
      onLoad({ filter: /.*/, namespace: PREFIX }, ({ path }) => ({
        contents: sourcesOf(path)
          .map((source) => `export * from './${source}';`)
          .join('\n'),
        resolveDir: SRC,
        loader: 'ts',
      }));
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, importer, namespace, kind }) => {
        if (kind === 'entry-point') return undefined;
        const source = relative(SRC, join(resolveDir, path)).replace(/\.js$/, '.ts');
        const wanted = fileOf(source);
        const own = namespace === PREFIX ? importer : fileOf(relative(SRC, importer));
        if (wanted === undefined || wanted === own) return undefined;
        return { path: `./${wanted}${extension}`, external: true };
      });
    },
  };
}
