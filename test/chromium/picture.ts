import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));

/** Takes a picture for the docs, where `SCREENSHOTS` asks for them. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] === undefined) return;
  await page.screenshot({ path: `${IMAGES}${name}.png`, fullPage: true });
}
