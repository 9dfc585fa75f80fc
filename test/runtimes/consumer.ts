import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE, installed, npm } from './cache.js';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKED = 'card-platform-sdk';

/** Packs what `dist` holds, and gives the path of the tarball. */
function pack(): string {
  const options = ['--json', '--ignore-scripts', '--pack-destination', CACHE];
  const [packed] = JSON.parse(npm(['pack', ...options], ROOT));
  return join(CACHE, packed.filename);
}

/** A folder of the cache that has the packed package and these peers, as a consumer would. */
export function makeConsumer(name: string, peers: readonly string[]): string {
  const folder = installed(name, peers);
  // Its version stays while its content changes with each build: npm would leave the old one there.
  rmSync(join(folder, 'node_modules', PACKED), { recursive: true, force: true });
  const options = ['--offline', '--no-save', '--no-audit', '--no-fund', '--no-package-lock'];
  npm(['install', ...options, '--omit=peer', pack()], folder);
  return folder;
}

/** Copies the suite beside the package, where its imports find it. */
export function copySuite(folder: string): string {
  const suite = join(folder, 'suite');
  rmSync(suite, { recursive: true, force: true });
  cpSync(fileURLToPath(new URL('./suite', import.meta.url)), suite, { recursive: true });
  return suite;
}
