import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BENCH = join(ROOT, 'bench');

const changedAt = (file: string) => (existsSync(file) ? statSync(file).mtimeMs : 0);

function newestSource(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return Math.max(...files.map(({ parentPath, name }) => changedAt(join(parentPath, name))));
}

function npm(args: readonly string[], cwd: string): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Builds the package if its source has changed since the last build. */
export function buildPackage(): void {
  const sources = Math.max(
    newestSource(join(ROOT, 'src')),
    changedAt(join(ROOT, 'scripts', 'write-entry-files.ts')),
    changedAt(join(ROOT, 'tsup.config.ts')),
  );
  if (changedAt(join(ROOT, 'dist', 'index.d.ts')) < sources) npm(['run', 'build'], ROOT);
}

/** Installs the public SDKs into `bench/` if their lock file has changed since. */
export function installContestants(): void {
  const installed = changedAt(join(BENCH, 'node_modules', '.package-lock.json'));
  if (installed >= changedAt(join(BENCH, 'package-lock.json'))) return;
  npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], BENCH);
}
