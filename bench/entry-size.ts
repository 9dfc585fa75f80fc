import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Bytes that a page loads with the entry, and bytes that it loads when the flow of the entry is first called
 * (a bundler puts them into a file of their own).
 */
export async function entrySize(
  entry: string,
  external: string[],
): Promise<{ atOnce: number; onCall: number }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [new URL(`../src/${entry}/index.ts`, import.meta.url).pathname],
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external,
    outdir: 'bundle',
    write: false,
  });
  const outputs = Object.entries(metafile.outputs);
  const later = outputs
    .flatMap(([, { imports }]) => imports)
    .flatMap(({ kind, path }) => (kind === 'dynamic-import' ? [basename(path)] : []));
  const sizes = outputFiles.map(({ path, contents }) => ({
    isLater: later.includes(basename(path)),
    bytes: gzipSync(contents, { level: 9 }).length,
  }));
  const sum = (isLater: boolean) =>
    sizes.reduce((total, file) => total + (file.isLater === isLater ? file.bytes : 0), 0);
  return { atOnce: sum(false), onCall: sum(true) };
}
