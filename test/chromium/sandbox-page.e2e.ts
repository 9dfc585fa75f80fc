import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { launchChromium } from '../support/chromium.js';
import { takeScreenshot } from './screenshot.js';

const TIME = Date.UTC(2026, 0, 1);
let browser: Browser;
let sandbox: Sandbox;
let page: Page;
const consoleErrors: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  sandbox = await startSandbox(0, 'demo', () => TIME);
  page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()));
  await page.goto(sandbox.url);
});
afterEach(async () => {
  await page.close();
  await sandbox.stop();
  expect(consoleErrors.splice(0)).toEqual([]);
});

function clientOf(email: string): CardPlatformClient {
  const { url, platform } = sandbox;
  const accessToken = platform.accessTokenFor(platform.users.get(email));
  return new CardPlatformClient({ baseUrl: url, ...platform.credentials, accessToken });
}

const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text });

describe('the sandbox page in Chromium', () => {
  it('verifies a user, provisions a card and blocks it by button', async () => {
    const grace = clientOf('grace@example.com');
    await rowOf('grace@example.com').getByRole('button', { name: 'Verify' }).click();
    await rowOf('grace@example.com').getByText('VERIFIED', { exact: true }).waitFor();
    await grace.card.order({ type: 'VIRTUAL' });
    await page.reload();
    await rowOf('grace@example.com').getByText('PENDING').waitFor();
    await rowOf('grace@example.com').getByRole('button', { name: 'Provision card' }).click();
    await rowOf('grace@example.com').getByText('ACTIVE').waitFor();
    expect((await grace.card.status()).status).toBe('ACTIVE');
    await rowOf('grace@example.com').getByRole('button', { name: 'Block card' }).click();
    await rowOf('grace@example.com').getByText('BLOCKED').waitFor();
  });

  it('fails the next call by form, and lists the last requests', async () => {
    const ada = clientOf('ada@example.com');
    const fail = page.locator('form').filter({ hasText: 'Fail the next call' });
    await fail.getByLabel('Endpoint').selectOption('card.freeze');
    await fail.getByRole('textbox').fill('403');
    await fail.getByRole('button').click();
    await expect(ada.card.freeze()).rejects.toMatchObject({ status: 403 });
    await ada.card.freeze();
    await ada.wallets.internal.list();
    await page.getByRole('link', { name: 'refresh' }).click();
    await rowOf('card.freeze').getByText('403').waitFor();
    await rowOf('ada@example.com').getByText('FROZEN').waitFor();
    await takeScreenshot(page, 'sandbox');
  });

  it('shows what an app does while it is being watched', async () => {
    await page.getByRole('link', { name: 'watch' }).click();
    await page.getByRole('link', { name: 'stop watching' }).waitFor();
    await clientOf('ada@example.com').card.freeze();
    await rowOf('ada@example.com').getByText('FROZEN').waitFor();
  });

  it('shows the fields of an endpoint in the reference, and opens a linked schema', async () => {
    await page.getByRole('link', { name: 'Reference' }).click();
    await page.getByText('/v1/auth/login', { exact: true }).click();
    await page.getByRole('link', { name: 'LoginInput' }).click();
    await page.getByText('E-mail address of the user.').waitFor();
  });

  it('shows the code that was sent', async () => {
    const { id: userId } = sandbox.platform.users.get('ada@example.com');
    await clientOf('ada@example.com').auth.sendLoginOtp({ userId });
    await page.reload();
    await rowOf('ada@example.com')
      .getByText(sandbox.platform.otpFor({ id: userId }) ?? '')
      .waitFor();
  });

  it.each(['/', '/sandbox/reference'])('fits a 360 px wide screen: %s', async (path) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${sandbox.url}${path}`);
    const overflow = await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
      return document.documentElement.scrollWidth - document.documentElement.clientWidth;
    });
    expect(overflow).toBeLessThanOrEqual(0);
  });
});
