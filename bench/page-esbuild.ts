import { basename } from 'node:path';
import { build } from 'esbuild';
import { type PageWeight, weigh } from './page-weight.js';

/** Returns how much a browser loads for a page that esbuild bundles with code splitting. */
export async function weighWithEsbuild(
  page: string,
  external: readonly string[],
): Promise<PageWeight> {
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
