import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { context, type Plugin } from 'esbuild';
import type { PlantedBug } from '../planted/planted-bug.js';
import { plant } from './plant.js';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Reads the files that the current bug changes. The others are not parsed again. */
function plantingPlugin(files: readonly string[], bugOf: () => PlantedBug | undefined): Plugin {
  return {
    name: 'planted-bug',
    setup({ onLoad }) {
      for (const file of files) {
        const path = join(ROOT, file);
        const filter = new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
        onLoad({ filter }, () => {
          const text = readFileSync(path, 'utf8');
          const bug = bugOf();
          return { contents: bug === undefined ? text : plant(bug, file, text), loader: 'ts' };
        });
      }
    },
  };
}

/** Builds the simulation as one file. Can be called repeatedly, with another bug each time. */
export type Bundler = {
  build(bug?: PlantedBug): Promise<string>;
  /** Removes the file. */
  close(): Promise<void>;
};

/**
 * Opens a builder that bundles the simulation into one file, so that it loads at once and every
 * import is available from the start. No file of the repository is changed: a bug is planted while
 * its file is read.
 *
 * @param bugs - those that may be planted
 */
export async function openBundler(bugs: readonly PlantedBug[] = []): Promise<Bundler> {
  const folder = mkdtempSync(join(tmpdir(), 'simulation-'));
  const file = join(folder, 'simulation.mjs');
  const files = new Set(bugs.flatMap(({ changes }) => changes.map((change) => change.file)));
  let planted: PlantedBug | undefined;
  const builder = await context({
    entryPoints: [join(ROOT, 'simulation', 'child.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    plugins: [plantingPlugin([...files], () => planted)],
  });
  return {
    build: async (bug) => {
      planted = bug;
      await builder.rebuild();
      return file;
    },
    close: async () => {
      await builder.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
