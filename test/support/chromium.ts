import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * The browser for tests: `CHROMIUM`, or one on the path, or Debian's package, which root installs
 * here.
 */
export function findChromium(): string {
  const found = process.env['CHROMIUM'] ?? onPath();
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0) throw new Error('no Chromium found: install one, or set CHROMIUM');
  console.log('--- installing Chromium');
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  execFileSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: 'inherit' });
  const installed = onPath();
  if (installed === undefined) throw new Error('Chromium was installed, and is not on the path');
  return installed;
}
