import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../support/chromium.js';

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));

/** Real Chromium, without a window, that speaks to nobody by itself. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Takes a picture for the docs, where `SCREENSHOTS` asks for them. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] === undefined) return;
  await page.screenshot({ path: `${IMAGES}${name}.png`, fullPage: true });
}
