import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCardPage } from '../../examples/card-page/start.js';
import type { MockSnapshot } from '../../src/testing/index.js';
import { DEFAULT_PASSWORD } from '../../src/testing/users.js';
import { launchChromium } from '../support/chromium.js';
import { takeScreenshot } from './screenshot.js';

type RunningCardPage = Awaited<ReturnType<typeof startCardPage>>;
let browser: Browser;
let running: RunningCardPage;
let initialState: MockSnapshot;
let page: Page;

beforeAll(async () => {
  running = await startCardPage({ page: 0, sandbox: 0 });
  initialState = running.sandbox.platform.snapshot();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  await page.goto(running.url);
});
afterEach(async () => {
  await page.close();
  running.sandbox.platform.reset();
  running.sandbox.platform.restore(initialState);
});

const platform = () => running.sandbox.platform;
const userOf = (email: string) => platform().users.get(email);
const panel = (name: string) => page.getByRole('region', { name });
const statusIn = (name: string) => panel(name).getByRole('status');
const press = (name: string, text: string) =>
  panel(name).getByRole('button', { name: text, exact: true }).click();

async function logIn(email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(DEFAULT_PASSWORD);
  await press('Log in', 'Log in');
  if (!userOf(email).otpEnabled) return;
  await page.getByLabel('Code from your phone').fill(await codeOf(email));
  await press('Log in', 'Log in');
}

async function codeOf(email: string): Promise<string> {
  await statusIn('Log in').getByText('We sent a code').waitFor();
  return platform().otpFor(userOf(email)) ?? '';
}

/** Checks what a machine can check of accessibility: names, roles, contrast. */
async function expectAccessible(): Promise<void> {
  await page.addScriptTag({ content: axe.source });
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  expect(found).toEqual([]);
}

describe('the login of the card page', () => {
  it('asks for the one-time password that was sent', async () => {
    await expectAccessible();
    await takeScreenshot(page, 'card-page-login');
    await logIn('ada@example.com');
    await page.getByRole('heading', { name: 'My card' }).waitFor();
    const keys = platform().requests.map(({ headers }) => headers['x-client-key']);
    expect(new Set(keys)).toEqual(new Set([platform().credentials.clientKey]));
  });

  it('shows that a wrong password was refused', async () => {
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password').fill('wrong');
    await press('Log in', 'Log in');
    await statusIn('Log in').getByText('That was refused').waitFor();
  });
});

describe('a new user on the card page', () => {
  it('verifies the identity, orders a card, and sees it become active', async () => {
    await logIn('grace@example.com');
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      press('Identity', 'Verify identity'),
    ]);
    await tab.getByRole('button', { name: 'Submit valid documents' }).click();
    await tab.getByText('being reviewed').waitFor();
    platform().advance('10 minutes');
    await press('Card', 'Order a card');
    await statusIn('Card').getByText('pending').waitFor();
    platform().provisionCard(userOf('grace@example.com'));
    await statusIn('Card').getByText('Your card is ready.').waitFor();
    expect(userOf('grace@example.com').card?.status).toBe('ACTIVE');
  });
});

describe('the card panel', () => {
  beforeEach(() => logIn('ada@example.com'));

  it('freezes and unfreezes the card', async () => {
    await press('Card', 'Freeze');
    await statusIn('Card').getByText('Your card is frozen.').waitFor();
    expect(userOf('ada@example.com').card?.status).toBe('FROZEN');
    await press('Card', 'Unfreeze');
    await statusIn('Card').getByText('works again').waitFor();
  });

  it('shows that a refused freeze changed nothing', async () => {
    platform().fail('card.freeze', 403);
    await press('Card', 'Freeze');
    await statusIn('Card').getByText('That was refused. Nothing was changed.').waitFor();
    expect(userOf('ada@example.com').card?.status).toBe('ACTIVE');
  });

  it('shows the card details once', async () => {
    await press('Card', 'Show details');
    const image = panel('Card').getByRole('img');
    await expect
      .poll(() => image.evaluate((shownImage: HTMLImageElement) => shownImage.naturalWidth))
      .toBeGreaterThan(0);
    const again = await page.request.get((await image.getAttribute('src')) ?? '');
    expect(again.status()).toBe(410);
    await takeScreenshot(page, 'card-page');
  });

  it('embeds the PIN page of the service, and closes it when the PIN is set', async () => {
    await press('Card', 'Set PIN');
    const frame = page.frameLocator('iframe[title="Set your PIN"]');
    await frame.getByLabel('New PIN').fill('4711');
    await frame.getByRole('button', { name: 'Set PIN' }).click();
    await statusIn('Card').getByText('The PIN page is closed.').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    expect(userOf('ada@example.com').card?.pin).toBe('4711');
  });

  it('keeps the PIN page open when another window posts the abort message', async () => {
    await press('Card', 'Set PIN');
    await page.frameLocator('iframe').getByLabel('New PIN').waitFor();
    await page.evaluate(() => window.postMessage({ type: 'abort' }, '*'));
    await page.frameLocator('iframe').getByLabel('New PIN').fill('1');
    expect(await page.locator('iframe').count()).toBe(1);
  });
});

describe('the money panels', () => {
  beforeEach(() => logIn('ada@example.com'));

  it('page through the transaction history', async () => {
    const entries = panel('History').getByRole('listitem');
    await panel('History').getByText('Coffee 24').waitFor();
    expect(await entries.count()).toBe(10);
    await press('History', 'Older');
    await panel('History').getByText('Page 2').waitFor();
    await press('History', 'Older');
    await panel('History').getByText('Page 3').waitFor();
    expect(await entries.count()).toBe(4);
    expect(await panel('History').getByRole('button', { name: 'Older' }).isVisible()).toBe(false);
    await press('History', 'Newer');
    await panel('History').getByText('Page 2').waitFor();
  });

  it('link another wallet to the card', async () => {
    const solana = userOf('ada@example.com').internalWallets.find((w) => w.network === 'solana');
    await panel('Wallets')
      .getByRole('button', { name: /^Pay with it/ })
      .click();
    await expect.poll(() => userOf('ada@example.com').linkedWallets).toContain(solana?.addressId);
  });

  const registered = {
    address: '0x52908400098527886E0F7030069857D2E4169EE7',
    network: 'linea',
    currency: 'usdc',
    balance: '0',
    allowance: '0',
  };

  it('withdraw an amount and update the balance and the history', async () => {
    userOf('ada@example.com').externalWallets.push(registered);
    await panel('Withdraw').getByLabel('Amount').fill('50.75');
    await press('Withdraw', 'Withdraw');
    await statusIn('Withdraw').getByText('On its way: 0x').waitFor();
    await panel('Wallets').getByText('200 USDC').waitFor();
    await panel('History').getByText('−50.75 USDC').waitFor();
  });

  it.each([
    ['1000', 'That is more than you have'],
    ['0', 'Please correct this: amount'],
    ['1e2', 'Please correct this: amount'],
  ])('refuse to withdraw the amount %s', async (amount, message) => {
    userOf('ada@example.com').externalWallets.push(registered);
    await panel('Withdraw').getByLabel('Amount').fill(amount);
    await press('Withdraw', 'Withdraw');
    await statusIn('Withdraw').getByText(message).waitFor();
    expect(userOf('ada@example.com').creditWallet.balance).toBe('250.75');
  });

  it('report an unknown outcome when the response is lost, and send no second withdrawal', async () => {
    userOf('ada@example.com').externalWallets.push(registered);
    platform().drop('wallets.credit.withdraw', 'after-processing');
    await panel('Withdraw').getByLabel('Amount').fill('50.75');
    await press('Withdraw', 'Withdraw');
    await statusIn('Withdraw').getByText('We do not know whether your money was sent').waitFor();
    expect(await panel('Withdraw').getByRole('button').isDisabled()).toBe(true);
    platform().requests.only({ operation: 'wallets.credit.withdraw' });
    await panel('Wallets').getByText('200 USDC').waitFor();
    await takeScreenshot(page, 'card-page-unknown');
  });
});

describe("delegation from the user's own wallet", () => {
  const delegationPanel = () => panel('Pay from your own wallet');
  const respondInWallet = (text: string) =>
    page.getByRole('dialog').getByRole('button', { name: text }).click();
  const pressInDelegation = (text: string) =>
    delegationPanel().getByRole('button', { name: text }).click();
  const registered = () => userOf('ada@example.com').externalWallets;

  beforeEach(() => logIn('ada@example.com'));

  it('runs on a local chain and shows its progress', async () => {
    await delegationPanel().getByLabel('Spending limit').fill('120');
    await pressInDelegation('Delegate');
    await delegationPanel().getByText('Your wallet is waiting').waitFor();
    await takeScreenshot(page, 'card-page-delegation');
    await respondInWallet('Approve');
    await delegationPanel().getByText('Approve the spending limit').waitFor();
    await respondInWallet('Approve');
    await delegationPanel().getByText('Done: the card may spend up to 120 USDC').waitFor();
    expect(registered()).toHaveLength(1);
    await panel('Wallets').getByText('up to 120 USDC on linea').waitFor();
  });

  it('resumes after a declined prompt and a reload, without a second signature', async () => {
    await pressInDelegation('Delegate');
    await respondInWallet('Approve');
    await delegationPanel().getByText('Approve the spending limit').waitFor();
    await respondInWallet('Decline');
    await delegationPanel().getByText('You declined in your wallet').waitFor();
    await page.reload();
    await logIn('ada@example.com');
    await pressInDelegation('Continue');
    await page.getByRole('dialog').getByText('Send a transaction?').waitFor();
    await respondInWallet('Approve');
    await delegationPanel().getByText('Done: the card may spend up to 250 USDC').waitFor();
    expect(registered()).toHaveLength(1);
  });

  it('shows an error of the service, and registers once when tried again', async () => {
    platform().fail('delegation.submitEvmApproval', 500);
    await pressInDelegation('Delegate');
    await respondInWallet('Approve');
    await delegationPanel().getByText('Approve the spending limit').waitFor();
    await respondInWallet('Approve');
    await delegationPanel()
      .getByText(/We do not know|was refused|Done/)
      .waitFor();
    await pressInDelegation('Delegate');
    await delegationPanel().getByText('Done').waitFor();
    expect(registered()).toHaveLength(1);
  });
});

describe('the accessibility of the card page', () => {
  it('passes axe in both color schemes and fits a 360 px wide screen', async () => {
    await logIn('ada@example.com');
    await panel('History').getByText('Coffee 24').waitFor();
    await expectAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible();
    await page.setViewportSize({ width: 360, height: 740 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await takeScreenshot(page, 'card-page-small');
  });

  it('allows login with the keyboard only', async () => {
    expect(await page.getByLabel('E-mail').evaluate((e) => e === document.activeElement)).toBe(
      true,
    );
    await page.keyboard.type('grace@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type(DEFAULT_PASSWORD);
    await page.keyboard.press('Enter');
    await panel('Identity').waitFor();
    const heading = page.getByRole('heading', { name: 'My card' });
    expect(await heading.evaluate((e) => e === document.activeElement)).toBe(true);
  });
});
