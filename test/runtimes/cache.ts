import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { npm } from '../support/npm.js';

/** The folder outside the repository that keeps runtimes, compilers and consumers between runs. */
export const CACHE =
  process.env['CARD_PLATFORM_SDK_CACHE'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'card-platform-sdk');

const STAMP = 'installed.json';

/**
 * Installs packages, each given as `name@version` or as a path, into a folder of the cache and returns
 * it. Does nothing when the folder already has them.
 */
export function installPackages(
  name: string,
  packages: readonly string[],
  { ignoresPeers = false }: { ignoresPeers?: boolean } = {},
): string {
  const folder = join(CACHE, name);
  const stamp = join(folder, STAMP);
  const requested = JSON.stringify(packages);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === requested) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const options = ['--no-audit', '--no-fund', '--no-package-lock'];
  if (ignoresPeers) options.push('--legacy-peer-deps');
  npm(['install', ...options, ...packages], folder);
  // Written last, so that an interrupted installation starts again.
  writeFileSync(stamp, requested);
  return folder;
}

/** Makes the next run install a folder of the cache again. */
function invalidate(name: string): void {
  rmSync(join(CACHE, name, STAMP), { force: true });
}

/** Returns the version that a command prints. If it does not start, the next run installs it again. */
export function versionOf(name: string, file: string): string {
  try {
    const output = execFileSync(file, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return /\d+\.\d+[\d.]*/.exec(output)?.[0] ?? 'unknown';
  } catch (error) {
    invalidate(name);
    throw error;
  }
}

/** Returns the first line that explains why a command failed. */
export function reasonOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: unknown; message?: unknown };
  const text = `${stderr ?? ''}\n${message ?? error}`;
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? 'failed'
  );
}
