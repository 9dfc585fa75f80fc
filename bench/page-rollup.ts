import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { transform } from 'esbuild';
import { type Plugin, rollup } from 'rollup';
import { PACKED } from './packed-package.js';
import { type PageWeight, weigh } from './page-weight.js';

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
export async function weighWithRollup(page: string): Promise<PageWeight> {
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
