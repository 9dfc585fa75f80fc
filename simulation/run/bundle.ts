import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { PlantedBug } from '../planted/planted-bug.js';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Applies a planted bug to the text of a file. */
export function plant(bug: PlantedBug, file: string, text: string): string {
  let changed = text;
  for (const { find, replace } of bug.changes.filter((change) => change.file === file)) {
    const places = changed.split(find).length - 1;
    if (places !== 1) throw new Error(`${bug.name}: ${places} places to change in ${file}`);
    changed = changed.replace(find, () => replace);
  }
  return changed;
}

function plantingPlugin(bug: PlantedBug): Plugin {
  return {
    name: 'planted-bug',
    setup({ onLoad }) {
      for (const file of new Set(bug.changes.map((change) => change.file))) {
        const path = join(ROOT, file);
        const filter = new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
        onLoad({ filter }, () => {
          const contents = plant(bug, file, readFileSync(path, 'utf8'));
          return { contents, loader: 'ts' };
        });
      }
    },
  };
}

/**
 * Builds the simulation as one file, so that it loads at once and every import is there from the start.
 * No file of the repository is changed: a bug is planted while it is read.
 */
export async function bundleSimulation(
  bug?: PlantedBug,
): Promise<{ file: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'simulation-'));
  const file = join(folder, 'simulation.mjs');
  await build({
    entryPoints: [join(ROOT, 'simulation', 'child.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['viem', 'viem/*'],
    logLevel: 'error',
    plugins: bug === undefined ? [] : [plantingPlugin(bug)],
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
