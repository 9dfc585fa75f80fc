import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import * as errors from '../../src/errors/index.js';
import { SITE } from './site-files.js';
import { useSite } from './site-page.js';

const { open } = useSite();

/** One page of each kind. */
const KINDS = [
  'index.html',
  'docs/card/cards.html',
  'docs/own-wallet/concepts.html',
  'docs/operate/errors.html',
  'docs/reference/endpoints.html',
  'docs/reference/endpoints/wallets.credit.withdraw.html',
  'docs/reference/error-catalogue.html',
  'docs/start/did-money-move.html',
  'api/card-platform-sdk/interfaces/CardResource.html',
];

const choice = (page: Page, name: string) => page.getByRole('combobox', { name });

const KILOBYTE = 1_000;

const bytesOf = (url: string) =>
  gzipSync(
    readFileSync(
      `${SITE}${new URL(url).pathname.replace('/card-platform-sdk/', '') || 'index.html'}`,
    ),
  ).length;

describe('the first page', () => {
  it('weighs less than 200 kB after gzip without its font, and the first run less than 500 kB', async () => {
    const page = await open('index.html');
    await page.locator('.run button').first().waitFor();
    const sum = (urls: readonly string[]) => urls.map(bytesOf).reduce((all, one) => all + one, 0);
    // What this document has loaded: a page before it may still be loading when it is left.
    const resources = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    const own = [page.url(), ...resources].filter((url) => !/\.woff2$|\?|\/api/.test(url));
    const weight = sum([...new Set(own)]);
    console.log(`the first page: ${(weight / KILOBYTE).toFixed(1)} kB`);
    expect(weight).toBeLessThan(200 * KILOBYTE);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.locator('.run button').first().click();
    await page.locator('.run[data-state="done"]').first().waitFor();
    const forRun = sum(loaded);
    console.log(`the first run: ${(forRun / KILOBYTE).toFixed(1)} kB`);
    expect(forRun).toBeLessThan(500 * KILOBYTE);
  });
});

/** The addresses that the search finds first, without the path of the site. */
async function search(page: Page, text: string): Promise<string[]> {
  await page.locator('.VPNavBarSearch button').first().click();
  await page.locator('#localsearch-input').fill(text);
  await page.locator('.results .result').first().waitFor();
  const found = await page
    .locator('.results .result')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
  await page.keyboard.press('Escape');
  return found.map((url) => url.replace('/card-platform-sdk/', ''));
}

describe('a reader', () => {
  it.each([
    ['otp', 'docs/users/login.html'],
    ['webhook signature', 'docs/server/webhooks.html'],
    ['timeout', 'docs/operate/errors.html'],
    ['retry withdrawal', 'docs/money/wallets.html'],
  ])('finds the guide first that answers %s', async (text, guide) => {
    const found = await search(await open('index.html'), text);
    const first = found.slice(0, 3).map((url) => url.replace(/#.*/, ''));
    expect(first, found.slice(0, 6).join('\n')).toContain(guide);
    expect(found[0], 'a guide is first').toMatch(
      /^docs\/(?:start|users|card|money|own-wallet|server|frameworks|operate)\//,
    );
  });

  it.each([
    ['Card is frozen', 'card_already_frozen'],
    ['Card is already frozen', 'card_already_frozen'],
    ['card is not frozen', 'card_not_frozen'],
    ['Insufficient balance', 'insufficient_balance'],
    ['User already has a card', 'user_already_has_card'],
    ['Not authenticated', 'not_authenticated'],
    ['card_already_frozen', 'card_already_frozen'],
  ])('finds an error first by its message or code: %s', async (text, code) => {
    const found = await search(await open('index.html'), text);
    expect(found[0], found.slice(0, 6).join('\n')).toBe(
      `docs/reference/error-catalogue.html#${code}`,
    );
  });

  it('filters the endpoints, and reads about one of them', async () => {
    const page = await open('docs/reference/endpoints.html');
    const rows = page.locator('.endpoints tbody tr');
    const every = await rows.count();
    expect(every).toBeGreaterThan(40);
    await choice(page, 'Namespace').selectOption('card');
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
    await rows.getByRole('link', { name: 'card.freeze' }).click();
    await page.locator('h1', { hasText: 'card.freeze' }).waitFor();
    const table = page.locator('table', { hasText: 'card_already_frozen' });
    expect(await table.innerText()).toContain('Card is already frozen');
  });

  it('follows the address of an error to its heading', async () => {
    const { docsUrl } = new errors.ConfigurationError('configuration_invalid', 'a message');
    const { hash, pathname } = new URL(docsUrl);
    const path = pathname.replace(/^\/card-platform-sdk\//, '').replace(/\.md$/, '.html');
    const page = await open(`${path}${hash}`);
    const heading = page.locator(`h3${hash}`);
    await expect
      .poll(() => heading.evaluate((it) => it.getBoundingClientRect().top < innerHeight))
      .toBe(true);
  });

  it('chooses dark, and the choice stays on the next page', async () => {
    const page = await open('index.html', { colorScheme: 'light' });
    await page.locator('.VPNavBarAppearance button').click();
    await page.getByRole('link', { name: 'Endpoints', exact: true }).first().click();
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.className)).toContain('dark');
  });

  it('opens the contents on a phone', async () => {
    const page = await open('docs/card/cards.html', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.locator('.VPSidebar').getByText('Sessions', { exact: true }).click();
    await page.locator('h1', { hasText: 'Sessions' }).waitFor();
  });

  it('prints a page without navigation and buttons', async () => {
    const page = await open('docs/card/cards.html');
    await page.emulateMedia({ media: 'print' });
    for (const part of ['.VPNav', '.VPSidebar', '.run .controls']) {
      expect(await page.locator(part).first().isVisible(), part).toBe(false);
    }
    expect(await page.locator('h1').isVisible()).toBe(true);
  });
});

it('a page that does not exist says so', async () => {
  const page = await open('CHANGELOG.html');
  const url = page.url().replace('CHANGELOG', 'missing');
  const other = await page.request.get(url);
  expect(other.status()).toBe(404);
  expect(await other.text()).toContain('404');
});

/** The findings of axe, of all rules or of these. */
async function findings(page: Page, runOnly?: string[]): Promise<string[]> {
  return page.evaluate(async (rules) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const options = rules === undefined ? {} : { runOnly: rules };
    const { violations } = await run(options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
  }, runOnly);
}

describe.each(KINDS)('%s', (path) => {
  it('passes axe, light and dark, on a desktop, a tablet and a phone', async () => {
    const page = await open(path, { colorScheme: 'light', reducedMotion: 'reduce' });
    if ((await page.locator('.run').count()) > 0) {
      await page.locator('.run button').first().click();
      await page.locator('.run[data-state="done"]').first().waitFor();
    }
    if (path.endsWith('did-money-move.html')) {
      await page.getByRole('button', { name: 'Make the call' }).click();
      await page.locator('#explorer[data-state="done"]').waitFor();
    }
    await page.addScriptTag({ content: axe.source });
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await findings(page), `light, ${width}`).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark').waitFor();
      expect(await findings(page, ['color-contrast', 'link-in-text-block']), 'dark').toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.locator('html:not(.dark)').waitFor();
    }
  });
});
