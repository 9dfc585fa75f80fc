import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from './chromium.js';
import { launchFirefox } from './firefox.js';

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
  type: 'spki',
  format: 'der',
});

/** Chromium derives the id of an extension from its key, and writes it with the letters a to p. */
const ID = createHash('sha256')
  .update(KEY)
  .digest('hex')
  .slice(0, 32)
  .replace(/./g, (digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)] ?? '');

/** The origin of the extension that `launchChromiumExtension` starts. */
export const CHROMIUM_EXTENSION_ORIGIN = `chrome-extension://${ID}`;

const FIREFOX_ID = 'extension@example.com';
/** Firefox chooses this part of the origin at random, unless a preference says it. */
const FIREFOX_HOST = '7d3f2c52-0c4b-4f0e-9d3e-0f6a5c1b2d3e';

/** The origin of the extension that `launchFirefoxExtension` starts. */
export const FIREFOX_EXTENSION_ORIGIN = `moz-extension://${FIREFOX_HOST}`;

/**
 * Starts a browser with an extension (Manifest V3) whose background program is `worker.js`.
 *
 * @param files - by name
 * @param manifest - is added to the manifest
 */
export type LaunchExtension = (
  files: Record<string, string>,
  manifest: object,
) => Promise<{ close(): Promise<void> }>;

/** Writes the extension into a new folder. */
function writeExtension(files: Record<string, string>, manifest: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'extension-'));
  const fixed = { manifest_version: 3, name: 'extension', version: '1.0' };
  const written = { ...files, 'manifest.json': JSON.stringify({ ...fixed, ...manifest }) };
  for (const [name, content] of Object.entries(written)) writeFileSync(join(folder, name), content);
  return folder;
}

/** Starts Chromium with an extension whose background is a service worker. */
export async function launchChromiumExtension(files: Record<string, string>, manifest: object) {
  const folder = writeExtension(files, {
    key: KEY.toString('base64'),
    background: { service_worker: 'worker.js', type: 'module' },
    ...manifest,
  });
  const flags = [`--disable-extensions-except=${folder}`, `--load-extension=${folder}`];
  // Without a window, but not in the old mode, which has no extensions.
  const context = await chromium.launchPersistentContext('', {
    executablePath: findChromium(),
    headless: false,
    args: ['--headless=new', ...CHROMIUM_FLAGS, ...flags],
  });
  const close = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { context, close };
}

/** Starts Firefox with an extension whose background is an event page: it has no service workers. */
export async function launchFirefoxExtension(files: Record<string, string>, manifest: object) {
  const folder = writeExtension(files, {
    background: { scripts: ['worker.js'], type: 'module' },
    browser_specific_settings: { gecko: { id: FIREFOX_ID } },
    ...manifest,
  });
  const browser = await launchFirefox({
    'extensions.webextensions.uuids': JSON.stringify({ [FIREFOX_ID]: FIREFOX_HOST }),
  });
  await browser.installExtension(folder);
  const close = async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { close };
}
