import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { npm } from '../support/npm.js';

/** Where runtimes, compilers and consumers are kept between runs: outside the repository. */
export const CACHE =
  process.env['CARD_PLATFORM_SDK_CACHE'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'card-platform-sdk');

const STAMP = 'installed.json';

/**
 * A folder of the cache in which these packages are installed, each as `name@version` or as a path.
 * A folder that has them already is left as it is.
 */
export function installed(name: string, packages: readonly string[]): string {
  const folder = join(CACHE, name);
  const stamp = join(folder, STAMP);
  const wanted = JSON.stringify(packages);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  npm(['install', '--no-audit', '--no-fund', '--no-package-lock', ...packages], folder);
  // Written last, so that an installation that broke off is begun anew.
  writeFileSync(stamp, wanted);
  return folder;
}

/** Lets a folder of the cache be installed anew next time, because what is in it does not work. */
function forget(name: string): void {
  rmSync(join(CACHE, name, STAMP), { force: true });
}

/** What a command says of its version; one that does not start is installed anew next time. */
export function versionOf(name: string, file: string): string {
  try {
    const said = execFileSync(file, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return /\d+\.\d+[\d.]*/.exec(said)?.[0] ?? 'unknown';
  } catch (error) {
    forget(name);
    throw error;
  }
}

/** The first line that says something about why a command failed. */
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
