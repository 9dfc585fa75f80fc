import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The entry in one file, with the code that it needs from this package. */
function bundle() {
  const { metafile } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: ['src/query/index.ts'],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    minify: true,
    write: false,
    metafile: true,
    outdir: 'dist',
  });
  const [output, ...others] = Object.values(metafile.outputs);
  if (output === undefined || others.length > 0) throw new Error('there must be one file');
  return { metafile, output };
}

describe('the entry card-platform-sdk/query', () => {
  const { metafile, output } = bundle();

  it('imports nothing at run time, neither a library nor another file', () => {
    expect(output.imports).toEqual([]);
    const { imports = [] } = metafile.inputs['src/query/index.ts'] ?? {};
    expect(imports.length).toBeGreaterThan(0);
  });

  it('holds only code of this package, and nothing that sends a request', () => {
    const sources = Object.keys(metafile.inputs);
    expect(
      sources.filter((source) => !/^src\/(query|errors|transport\/outcome)\//.test(source)),
    ).toEqual([]);
  });

  it('exports its functions', () => {
    expect(output.exports.sort()).toEqual([
      'createQueries',
      'shouldDehydrateMutation',
      'shouldDehydrateQuery',
    ]);
  });
});
