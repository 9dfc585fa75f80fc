import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { testLockCard } from '../../examples/playwright-kit/lock-card.js';
import { launchChromium } from '../support/chromium.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

it('the Playwright example runs a page against the sandbox, from login to a lost response', () =>
  testLockCard(browser));
