import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as buildWithEsbuild } from 'esbuild';
import { build as buildWithVite } from 'vite';

const WEBPACK = fileURLToPath(new URL('./journey/webpack.mjs', import.meta.url));

/** Bundlers by their name. Each bundles an entry into `program.js` of a folder, for a page. */
const BUNDLERS: Readonly<Record<string, (entry: string, outdir: string) => unknown>> = {
  esbuild: (entry, outdir) =>
    buildWithEsbuild({
      entryPoints: { program: entry },
      ...{ outdir, bundle: true, splitting: true, minify: true, format: 'esm', target: 'es2022' },
      // The package, not the sources to which the paths of this repository lead.
      tsconfigRaw: {},
      logLevel: 'error',
    }),
  Vite: (entry, outDir) =>
    buildWithVite({
      configFile: false,
      logLevel: 'error',
      build: {
        outDir,
        rolldownOptions: { input: entry, output: { entryFileNames: 'program.js' } },
      },
    }),
  webpack: (entry, folder) =>
    execFileSync(process.execPath, [WEBPACK, entry, folder], { stdio: 'inherit' }),
};

/** The names of the bundlers. */
export const BUNDLER_NAMES = Object.keys(BUNDLERS);

/** Bundles an entry. Returns the scripts by the path under which `/program.js` imports them. */
export async function bundlePage(
  bundler: string,
  entry: string,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  await BUNDLERS[bundler]?.(entry, folder);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const scripts = names.filter((name) => name.endsWith('.js'));
  return new Map(scripts.map((name) => [`/${name}`, readFileSync(join(folder, name), 'utf8')]));
}
