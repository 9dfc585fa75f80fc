import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const SRC = resolve('src');

/** Returns the sources that are loaded together with the given ones, without dynamic imports. */
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

// Leaves out the code that only declares or describes endpoints of your own, because few pages need
// it.
const AT_ONCE = loadedWith(
  'index.ts',
  ...['call', 'create-client', 'every-endpoint'].map((file) => `endpoints/${file}.ts`),
);
const WITH_A_CALL = loadedWith('transport/pipe.ts');

/** Matches the sources in a folder that are loaded at a certain time. */
function sourcesUnder(folders: RegExp, isLoaded: (source: string) => boolean) {
  return { test: (source: string) => folders.test(source) && isLoaded(source) };
}

/**
 * The files of the build that others import, and the sources that each one contains. The first
 * match counts. If every entry had copies of its own, `instanceof` would fail between entries.
 *
 * A bundler that splits loads a whole file as soon as one line of it is needed. So each file
 * contains sources that are loaded together: the helpers of a chain need errors and formats but not
 * the contract, and a button that starts a flow needs nothing of the flow.
 */
const SHARED: readonly (readonly [name: string, sources: Pick<RegExp, 'test'>])[] = [
  // Loaded by `import()`. Node never loads ky, and a page loads a flow when it starts. zod is
  // loaded with `pipe`, and at once with `/schemas` and `/testing`.
  ['ky', /^transport\/adapters\/ky\.ts$/],
  ['zod', /^contract\/(provide-zod|zod-functions)\.ts$/],
  ['evm-flow', /^evm\/flow\/run-evm-delegation\.ts$/],
  ['solana-flow', /^solana\/flow\/run-solana-delegation\.ts$/],
  // The checksum of an EVM address needs a hash function. `/evm` uses the one of viem.
  ['core', /^contract\/formats\/(evm-address|keccak)\.ts$/],
  ['shared', /^(errors|contract\/formats)\//],
  // The folders of the transport, without the files directly in it. Those stay in the entries that
  // send, because the `import()` in a file makes esbuild keep everything that the pipe needs of it,
  // called or not.
  ['core', sourcesUnder(/^(contract|transport\/\w+)\//, (source) => AT_ONCE.has(source))],
  // Sources that only a call needs. Pure functions and tables of the contract that nothing loads at
  // once have no shared file: each file that needs them has a copy.
  ['pipe', sourcesUnder(/^transport\//, (source) => WITH_A_CALL.has(source))],
  // Loaded with the first recorded request. A client without a journal never loads it.
  ['journal', /^journal\/(?!journal\.ts|journal-types|read-endpoints)/],
  [
    'chain-errors',
    /^delegation\/(chain-error|flow-not-loaded|invalid|is-chain-error|numbers|state-of-error|steps)\.ts$/,
  ],
  ['wallet-errors', /^delegation\/(wallet-errors|transaction-reverted-error)\.ts$/],
  ['delegation', /^delegation\//],
];

/** The entries that `/observed` imports as any other program does. */
const PUBLIC: Readonly<Record<string, string>> = {
  'index.ts': 'index',
  'endpoints/index.ts': 'endpoints',
  'sessions/index.ts': 'sessions',
};

const PREFIX = 'shared-file:';

/**
 * Names of secrets: a declaration checks them, and must not load the pipe to do so. Amounts are
 * pure functions. In `shared`, `/solana` would load them long before a flow needs them. */
const COPIED =
  /^(contract\/formats\/(abort-reason|decimal|ip-address|trailing|url|utf8-length)|transport\/response\/secret-names)\.ts$/;

function fileOf(source: string): string | undefined {
  return COPIED.test(source) ? undefined : SHARED.find(([, sources]) => sources.test(source))?.[0];
}

const SOURCES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

const sourcesOf = (file: string) => SOURCES.filter((source) => fileOf(source) === file);

/** Returns the entry points of shared files. `sharedFiles` writes their source. */
export function sharedEntries(...names: string[]): Record<string, string> {
  const known = names.filter((name) => sourcesOf(name).length > 0);
  return Object.fromEntries(known.map((name) => [name, PREFIX + name]));
}

/**
 * Makes every file import the sources that another file contains, instead of containing them too.
 */
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
        const isObserved = relative(SRC, importer).startsWith('observed/');
        const sharedFile = isObserved ? PUBLIC[source] : fileOf(source);
        const importingFile = namespace === PREFIX ? importer : fileOf(relative(SRC, importer));
        if (sharedFile === undefined || sharedFile === importingFile) return undefined;
        return { path: `./${sharedFile}${extension}`, external: true };
      });
    },
  };
}
