import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackage } from './debian-package.js';

/** A browser that Debian packages. */
export type DebianBrowser = {
  name: string;
  /** The environment variable with its path. */
  variable: string;
  /** The names of its program. */
  programs: readonly string[];
  debianPackage: string;
};

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onPath(programs: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => programs.map((name) => join(folder, name))).find(isProgram);
}

/** Returns the path of an installed browser: the one in the variable, or one on the path. */
export function installedBrowser({ variable, programs }: DebianBrowser): string | undefined {
  return process.env[variable] ?? onPath(programs);
}

/**
 * Returns the path of a browser for tests. If it is missing, Debian's package is installed here when
 * the user is root or may become root without a password.
 */
export function findBrowser(browser: DebianBrowser): string {
  const found = installedBrowser(browser);
  if (found !== undefined) return found;
  const { name, variable, debianPackage } = browser;
  try {
    installDebianPackage(debianPackage);
  } catch (cause) {
    throw new Error(`no ${name} found: install one, or set ${variable}`, { cause });
  }
  const installed = installedBrowser(browser);
  if (installed === undefined) throw new Error(`${name} was installed but is not on the path`);
  return installed;
}
