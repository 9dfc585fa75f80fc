import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OTHERS } from './contestants.js';
import { PACKED } from './packed-package.js';
import type { Section } from './report.js';
import { atMost, cell, LIMITS } from './targets.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BENCH = join(ROOT, 'bench');

type Installed = { name: string; bytes: number; files: number; packages: number };

/** Finds the folder of a package from another folder, as Node does. */
function find(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return from === ROOT || dirname(from) === from ? undefined : find(name, dirname(from));
}

/** Returns the folders of a package and all its dependencies. */
function foldersWithDependencies(
  name: string,
  from: string,
  seen = new Set<string>(),
): Set<string> {
  const folder = find(name, from);
  // A missing package is an optional dependency for another system.
  if (folder === undefined || seen.has(folder)) return seen;
  seen.add(folder);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const needed of Object.keys(manifest.dependencies ?? {}))
    foldersWithDependencies(needed, folder, seen);
  return seen;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function installed(name: string): Installed {
  const folders = [...foldersWithDependencies(name, BENCH)];
  const files = folders.flatMap(filesIn);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { name, bytes, files: files.length, packages: folders.length };
}

function ours(): Installed {
  const files = filesIn(PACKED.folder);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { name: 'this client', bytes, files: files.length, packages: 1 };
}

/** Measures what an installation adds: the package and all its dependencies. */
export function measureInstallation(): Section {
  const mine = ours();
  const others = OTHERS.flatMap((one) =>
    one.package === undefined ? [] : [installed(one.package)],
  );
  const rows = [mine, ...others].map((one) => [
    (one.bytes / mine.bytes).toFixed(2),
    one.name,
    `${(one.bytes / 1_000_000).toFixed(2)} MB`,
    String(one.packages),
    String(one.files),
    cell(one === mine ? atMost(mine.bytes / 1_000_000, LIMITS.installed, 'MB') : undefined),
  ]);
  return {
    title: 'Installed',
    note: 'Bytes of all files, including documentation and both module formats. Ratios are relative to this client.',
    heads: ['ratio', 'who', 'on disk', 'packages', 'files', 'target'],
    rows,
  };
}
