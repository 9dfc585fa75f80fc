import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from './chromium.js';

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

/** The origin of the extension that `launchExtension` starts. */
export const EXTENSION_ORIGIN = `chrome-extension://${ID}`;

/**
 * Starts Chromium with an extension (Manifest V3) whose service worker is `worker.js`.
 *
 * @param files - by name
 * @param manifest - is added to the manifest
 */
export async function launchExtension(files: Record<string, string>, manifest: object) {
  const folder = mkdtempSync(join(tmpdir(), 'extension-'));
  const fixed = {
    manifest_version: 3,
    name: 'extension',
    version: '1.0',
    key: KEY.toString('base64'),
    background: { service_worker: 'worker.js', type: 'module' },
  };
  const written = { ...files, 'manifest.json': JSON.stringify({ ...fixed, ...manifest }) };
  for (const [name, content] of Object.entries(written)) writeFileSync(join(folder, name), content);
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
