import { expect, it } from 'vitest';
import { isApi, PAGES, some } from './site-files.js';
import { useSite } from './site-page.js';

const { open } = useSite();

const PAGES_TO_OPEN = [
  ...some(PAGES.filter((path) => !isApi(path) && path !== '404.html')),
  ...some(PAGES.filter(isApi).filter((_, index) => index % 20 === 0)),
];

const widths = [1440, 1024, 390];

it('pages have one title and fit the screen of a desktop, a tablet and a phone', async () => {
  expect(PAGES_TO_OPEN.length).toBeGreaterThan(10);
  for (const path of PAGES_TO_OPEN) {
    const page = await open(path);
    expect(await page.locator('h1').count(), path).toBe(1);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(excess, `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
    await page.context().close();
  }
}, 600_000);
