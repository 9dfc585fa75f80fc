import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const SRC = resolve('src');

/**
 * Files of the build that several entries import, and the sources that each one holds. The first
 * match counts. With copies of their own, `instanceof` would fail between entries.
 *
 * A bundler assigns a whole file to whatever is loaded first, so the files are cut along what is
 * loaded together: the helpers of the chains need errors and formats, never the contract.
 */
const SHARED: readonly (readonly [name: string, sources: RegExp])[] = [
  // Loaded by `import()`, and never on Node.
  ['ky', /^transport\/adapters\/ky\.ts$/],
  ['shared', /^(errors|contract\/formats)\//],
  ['core', /^(contract|transport)\//],
];

const PREFIX = 'shared-file:';

const fileOf = (source: string) => SHARED.find(([, sources]) => sources.test(source))?.[0];

const SOURCES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

const sourcesOf = (file: string) => SOURCES.filter((source) => fileOf(source) === file);

/** The entry points of the shared files. Their source is written by `sharedFiles`. */
export function sharedEntries(): Record<string, string> {
  const files = SHARED.map(([name]) => name).filter((name) => sourcesOf(name).length > 0);
  return Object.fromEntries(files.map((name) => [name, PREFIX + name]));
}

/** Lets every file import what another file holds from there, instead of holding it too. */
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
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, importer, namespace }) => {
        const source = relative(SRC, join(resolveDir, path)).replace(/\.js$/, '.ts');
        const wanted = fileOf(source);
        const own = namespace === PREFIX ? importer : fileOf(relative(SRC, importer));
        if (wanted === undefined || wanted === own) return undefined;
        return { path: `./${wanted}${extension}`, external: true };
      });
    },
  };
}
