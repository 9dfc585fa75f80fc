import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import * as errors from '../../src/errors/index.js';
import { read, SITE } from './site-files.js';
import { onDisk, useSite } from './site-page.js';

const { open } = useSite();

/** One page of each kind. */
const KINDS = [
  'index.html',
  'docs/card/cards.html',
  'docs/reference/endpoints.html',
  'docs/reference/error-catalogue.html',
  'site/did-money-move.html',
  'reference/card-platform-sdk.html',
  'reference/card-platform-sdk/CardPlatformClient.html',
  'reference/card-platform-sdk/CardResource.html',
];

const choice = (page: Page, name: string) => page.getByRole('combobox', { name });

const KILOBYTE = 1_000;

describe('the pages of the site', () => {
  it('open from a server below a path, with the navigation', async () => {
    const server = createServer(({ url = '' }, response) => {
      if (url === '/favicon.ico') return response.writeHead(204).end();
      const type = { '.html': 'text/html', '.css': 'text/css', '.svg': 'image/svg+xml' };
      const contentType = type[extname(url) as keyof typeof type] ?? 'text/javascript';
      response.writeHead(200, { 'content-type': contentType });
      return response.end(readFileSync(join(SITE, url.replace('/some/path/', ''))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/path/`;
    const page = await open(`${root}index.html`, {}, root);
    await page.locator('.site-menu').getByText('Build', { exact: true }).click();
    await page.locator('.site-menu').getByText('Cards and secure images').click();
    await page.locator('h1', { hasText: 'Cards' }).waitFor();
    await page.locator('.run button').first().click();
    await page.locator('.run[data-state="done"]').first().waitFor();
    await new Promise((resolve) => server.close(resolve));
  });

  it('weigh less than 200 kB after gzip at first, without the editor and the search index', async () => {
    const page = await open('about:blank', {}, '');
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto(onDisk('index.html'));
    await page.waitForFunction(() => document.querySelector('.site-menu a.current') !== null);
    const weights = loaded.map((url) => gzipSync(readFileSync(new URL(url))).length);
    const weight = weights.reduce((sum, one) => sum + one, 0);
    console.log(`the first page: ${(weight / KILOBYTE).toFixed(1)} kB`);
    expect(weight).toBeLessThan(200 * KILOBYTE);
    const late = /typescript|editor|run|search|types|modules/;
    const loadedLate = () =>
      loaded
        .map((url) => new URL(url).pathname.split('/assets/')[1] ?? '')
        .filter((path) => late.test(path));
    expect(loadedLate()).toEqual([]);
    await page.locator('.run button').first().click();
    await page.locator('.run[data-state="done"]').first().waitFor();
    const forRun = ['typescript.js', 'run.js', 'editor.js'];
    expect(loadedLate().sort()).toEqual([...forRun].sort());
    const forRunWeight = forRun.map((path) => gzipSync(read(`assets/${path}`)).length);
    const sum = forRunWeight.reduce((all, one) => all + one, 0);
    console.log(`the editor and the platform: ${(sum / KILOBYTE).toFixed(1)} kB`);
  });
});

describe('a reader', () => {
  it('finds a guide by the search', async () => {
    const page = await open(onDisk('index.html'));
    await page.locator('#tsd-search-trigger').click();
    await page.locator('#tsd-search-input').fill('webhooks');
    await page.locator('#tsd-search-results a', { hasText: 'Webhooks' }).first().click();
    await page.locator('h1', { hasText: 'Webhooks' }).waitFor();
  });

  it('filters the endpoints by namespace, credential and retry class', async () => {
    const page = await open(onDisk('docs/reference/endpoints.html'));
    const rows = page.locator('tbody tr:visible');
    const every = await rows.count();
    await choice(page, 'Namespace').selectOption('card');
    expect(await rows.locator('td:first-child').allTextContents()).toSatisfy((ids: string[]) =>
      ids.every((id) => id.startsWith('card.')),
    );
    await choice(page, 'Retry class').selectOption('never');
    expect(await rows.locator('td:first-child').allTextContents()).toEqual([
      'card.order',
      'card.unfreeze',
    ]);
    await choice(page, 'Namespace').selectOption('all');
    await choice(page, 'Retry class').selectOption('all');
    await choice(page, 'Credential').selectOption('x-secret-key');
    expect(await rows.locator('td:first-child').allTextContents()).toSatisfy((ids: string[]) =>
      ids.every((id) => id.startsWith('consent.')),
    );
    await choice(page, 'Credential').selectOption('all');
    expect(await rows.count()).toBe(every);
  });

  it('finds an error by its code, and follows its address to the heading', async () => {
    const { docsUrl } = new errors.ConfigurationError('configuration_invalid', 'a message');
    const { hash, pathname } = new URL(docsUrl);
    const path = pathname.replace(/^\/card-platform-sdk\//, '').replace(/\.md$/, '.html');
    const page = await open(`${onDisk(path)}${hash}`);
    const heading = page.locator(`h3${hash}`);
    expect(await heading.evaluate((it) => it.getBoundingClientRect().top < innerHeight)).toBe(true);
    await page.getByLabel('Search by code').fill('otp');
    expect(
      await page
        .locator('.tsd-typography h3:visible')
        .evaluateAll((all) => all.map(({ id }) => id)),
    ).toSatisfy((ids: string[]) => ids.length > 1 && ids.every((id) => id.includes('otp')));
    await page.evaluate(() => {
      location.hash = '#conflict';
    });
    await page.locator('h3#conflict').waitFor({ state: 'visible' });
  });

  it('chooses dark, and the choice holds on the next page', async () => {
    const page = await open(onDisk('index.html'));
    await page.getByText('Settings').click();
    await page.locator('#tsd-theme').selectOption('dark');
    await page.goto(onDisk('docs/reference/endpoints.html'));
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  });
});

/** The findings of axe, of all rules or of these. */
async function findings(page: Page, runOnly?: string[]): Promise<string[]> {
  return page.evaluate(async (rules) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    // Without a preload, which would read the style sheets by a request that a page on disk may not make.
    const options = rules === undefined ? {} : { runOnly: rules };
    const { violations } = await run({ preload: false, ...options });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
  }, runOnly);
}

describe.each(KINDS)('%s', (path) => {
  it('passes axe, light and dark', async () => {
    const page = await open(onDisk(path), { colorScheme: 'light' });
    await page.locator('.site-menu a.current').waitFor();
    if (path === 'docs/card/cards.html') {
      await page.locator('.run button').first().click();
      await page.locator('.run[data-state="done"]').waitFor();
    }
    if (path.startsWith('site/')) {
      await page.getByRole('button', { name: 'Make the call' }).click();
      await page.locator('#explorer[data-state="done"]').waitFor();
    }
    await page.addScriptTag({ content: axe.source });
    expect(await findings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findings(page, ['color-contrast', 'link-in-text-block'])).toEqual([]);
  });

  it('fits a phone', async () => {
    const page = await open(onDisk(path), { viewport: { width: 390, height: 844 } });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
});
