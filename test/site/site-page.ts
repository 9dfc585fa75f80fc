import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { SITE } from './site-files.js';

/** The address of a page of the site on disk. */
export const onDisk = (path: string) => pathToFileURL(`${SITE}${path}`).href;

/**
 * Starts a browser for a test file. After each test, no page may have reported a problem or asked for
 * anything outside of the site.
 */
export function useSite() {
  let browser: Browser;
  const problems: string[] = [];
  const opened: Page[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());

  return {
    /** Opens a page whose requests must begin with `root`. */
    async open(url: string, options: BrowserContextOptions = {}, root = onDisk('')): Promise<Page> {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        ...options,
      });
      const page = await context.newPage();
      opened.push(page);
      page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`);
      });
      page.on('request', (request) => {
        const isOwn = request.url().startsWith(root) || /^(data|blob):/.test(request.url());
        if (!isOwn) problems.push(`${page.url()} asked for ${request.url()}`);
      });
      await page.goto(url);
      return page;
    },
  };
}
