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

/** Where a package is found from a folder, as Node looks for it. */
function find(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return from === ROOT || dirname(from) === from ? undefined : find(name, dirname(from));
}

/** The folders of a package and of all that it needs. */
function closure(name: string, from: string, seen = new Set<string>()): Set<string> {
  const folder = find(name, from);
  // What is not there is an optional dependency for another system.
  if (folder === undefined || seen.has(folder)) return seen;
  seen.add(folder);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const needed of Object.keys(manifest.dependencies ?? {})) closure(needed, folder, seen);
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
  const folders = [...closure(name, BENCH)];
  const files = folders.flatMap(filesIn);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { name, bytes, files: files.length, packages: folders.length };
}

function ours(): Installed {
  const files = filesIn(PACKED.folder);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { name: 'this client', bytes, files: files.length, packages: 1 };
}

/** What an installation brings: the package, and all that it needs. */
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
    note: 'Bytes of all files, documentation and both module formats included. Ratios are to this client.',
    heads: ['ratio', 'who', 'on disk', 'packages', 'files', 'target'],
    rows,
  };
}
