import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packDist } from '../package/packed.js';
import { npm } from '../support/npm.js';
import { CACHE, installed } from './cache.js';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKED = 'card-platform-sdk';

/** A folder of the cache that has the packed package and these peers, as a consumer would. */
export function makeConsumer(name: string, peers: readonly string[]): string {
  const folder = installed(name, peers);
  // Its version stays while its content changes with each build: npm would leave the old one there.
  rmSync(join(folder, 'node_modules', PACKED), { recursive: true, force: true });
  const options = ['--offline', '--no-save', '--no-audit', '--no-fund', '--no-package-lock'];
  npm(['install', ...options, '--omit=peer', packDist(CACHE).tarball], folder);
  return folder;
}

/** Copies the suite beside the package, where its imports find it. */
export function copySuite(folder: string): string {
  const suite = join(folder, 'suite');
  rmSync(suite, { recursive: true, force: true });
  cpSync(fileURLToPath(new URL('./suite', import.meta.url)), suite, { recursive: true });
  return suite;
}
