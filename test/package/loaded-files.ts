import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ESM = /^(?:import|export)\b[^'"]*from\s*['"]\.\/(.+?)['"];/gm;
const COMMONJS = /= ?require\(['"]\.\/(.+?)['"]\)/g;

/** Returns the files of `dist` that load together with one of them, without lazily loaded ones. */
export function loadedWith(dist: string, entry: string): string[] {
  const loaded = new Set<string>();
  const load = (name: string) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    const code = readFileSync(join(dist, name), 'utf8');
    for (const [, imported] of code.matchAll(name.endsWith('.cjs') ? COMMONJS : ESM)) {
      load(imported ?? '');
    }
  };
  load(entry);
  return [...loaded].sort();
}
