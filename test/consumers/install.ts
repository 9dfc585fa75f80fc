import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE } from '../runtimes/cache.js';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** Runs npm in a project. */
export function runNpm(args: string[], cwd: string, chromium?: string | undefined): void {
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    env: {
      ...process.env,
      // For the suites of the repository that a consumer runs with its own tools.
      CARD_PLATFORM_SDK_REPOSITORY: REPOSITORY,
      ...(chromium === undefined ? {} : { CHROMIUM: chromium }),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** Installs a project outside the repository, where it finds only its own packages. */
export function install(consumer: string, source: string, tarball: string): string {
  const folder = join(CACHE, 'consumers', consumer);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name !== 'node_modules') rmSync(join(folder, name), { recursive: true });
  }
  cpSync(source, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  // Installs without the lock file if a registry may lack packages for other systems, which
  // `npm ci` requests.
  const isLocked = existsSync(join(folder, 'package-lock.json'));
  runNpm([isLocked ? 'ci' : 'install'], folder);
  runNpm(['install', '--no-save', '--omit=peer', tarball], folder);
  return folder;
}
