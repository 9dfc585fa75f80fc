import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));

/** Saves a screenshot for the docs when `SCREENSHOTS` is set. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] === undefined) return;
  await page.screenshot({ path: `${IMAGES}${name}.png`, fullPage: true });
}
