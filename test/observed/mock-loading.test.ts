import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';

const { metafile } = buildSync({
  entryPoints: ['src/testing/index.ts'],
  bundle: true,
  packages: 'external',
  splitting: true,
  format: 'esm',
  write: false,
  metafile: true,
  outdir: 'out',
});

/** The sources that are loaded together with one, without those behind `import()`. */
function loadedWith(entry: string): Set<string> {
  const loaded = new Set<string>();
  const load = (source: string) => {
    if (loaded.has(source)) return;
    loaded.add(source);
    for (const { kind, path } of metafile.inputs[source]?.imports ?? []) {
      if (kind === 'import-statement') load(path);
    }
  };
  load(entry);
  return loaded;
}

const isObserved = (source: string) => source.startsWith('src/testing/observed/');

it('the testing entry loads the observed calls by import() only', () => {
  expect([...loadedWith('src/testing/index.ts')].filter(isObserved)).toEqual([]);
  const part = [...loadedWith('src/testing/observed/observed-platform.ts')].filter(isObserved);
  expect(part.length).toBeGreaterThan(20);
  expect(part.sort()).toEqual(Object.keys(metafile.inputs).filter(isObserved).sort());
});
