import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packDist } from '../package/packed.js';
import { npm } from '../support/npm.js';
import { CACHE, installPackages } from './cache.js';

/** Root folder of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKED = 'card-platform-sdk';

/** Installs the packed package and these peers into a folder of the cache, as a consumer would. */
export function makeConsumer(name: string, peers: readonly string[]): string {
  const folder = installPackages(name, peers);
  // The content changes with each build but the version does not, so npm would keep the old one.
  rmSync(join(folder, 'node_modules', PACKED), { recursive: true, force: true });
  const options = ['--offline', '--no-save', '--no-audit', '--no-fund', '--no-package-lock'];
  npm(['install', ...options, '--omit=peer', packDist(CACHE).tarball], folder);
  return folder;
}

/** Copies the suite next to the installed package, so that its imports resolve. */
export function copySuite(folder: string): string {
  const suite = join(folder, 'suite');
  rmSync(suite, { recursive: true, force: true });
  cpSync(fileURLToPath(new URL('./suite', import.meta.url)), suite, { recursive: true });
  return suite;
}
