import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { installDebianPackage } from './debian-package.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Keeps Chromium from making requests of its own. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
}

/**
 * Returns the path of the browser for tests: `CHROMIUM`, one on the path, or Debian's package,
 * which is installed here when the user is root or may become root without a password.
 */
export function findChromium(): string {
  const found = process.env['CHROMIUM'] ?? onPath();
  if (found !== undefined) return found;
  try {
    installDebianPackage('chromium');
  } catch (cause) {
    throw new Error('no Chromium found: install one, or set CHROMIUM', { cause });
  }
  const installed = onPath();
  if (installed === undefined) throw new Error('Chromium was installed but is not on the path');
  return installed;
}

/** Starts Chromium without a window and with an empty user data directory. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), headless: true, args: CHROMIUM_FLAGS });
}
