import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCardPage } from '../../examples/card-page/start.js';
import type { MockSnapshot } from '../../src/testing/index.js';
import { launchChromium } from '../support/chromium.js';
import { picture } from './picture.js';

const PASSWORD = 'correct horse battery staple';

type Shown = Awaited<ReturnType<typeof startCardPage>>;
let browser: Browser;
let shown: Shown;
let scene: MockSnapshot;
let page: Page;

beforeAll(async () => {
  shown = await startCardPage({ page: 0, sandbox: 0 });
  scene = shown.sandbox.platform.snapshot();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await shown?.stop();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  await page.goto(shown.url);
});
afterEach(async () => {
  await page.close();
  shown.sandbox.platform.reset();
  shown.sandbox.platform.restore(scene);
});

const platform = () => shown.sandbox.platform;
const userOf = (email: string) => platform().users.get(email);
const panel = (name: string) => page.getByRole('region', { name });
const news = (name: string) => panel(name).getByRole('status');
const press = (name: string, text: string) =>
  panel(name).getByRole('button', { name: text, exact: true }).click();

async function logIn(email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await press('Log in', 'Log in');
  if (!userOf(email).otpEnabled) return;
  await page.getByLabel('Code from your phone').fill(await codeOf(email));
  await press('Log in', 'Log in');
}

async function codeOf(email: string): Promise<string> {
  await news('Log in').getByText('We sent a code').waitFor();
  return platform().otpFor(userOf(email)) ?? '';
}

/** What a machine can see of accessibility: names, roles, contrast. */
async function expectAccessible(): Promise<void> {
  await page.addScriptTag({ content: axe.source });
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  expect(found).toEqual([]);
}

describe('logging in', () => {
  it('asks for the code that was sent', async () => {
    await expectAccessible();
    await picture(page, 'card-page-login');
    await logIn('ada@example.com');
    await page.getByRole('heading', { name: 'My card' }).waitFor();
    const keys = platform().requests.map(({ headers }) => headers['x-client-key']);
    expect(new Set(keys)).toEqual(new Set([platform().credentials.clientKey]));
  });

  it('says when it is refused', async () => {
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password').fill('wrong');
    await press('Log in', 'Log in');
    await news('Log in').getByText('That was refused').waitFor();
  });
});

describe('a new user', () => {
  it('verifies, orders a card, and sees it become usable', async () => {
    await logIn('grace@example.com');
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      press('Identity', 'Verify identity'),
    ]);
    await tab.getByRole('button', { name: 'Submit valid documents' }).click();
    await tab.getByText('being reviewed').waitFor();
    platform().advance('10 minutes');
    await press('Card', 'Order a card');
    await news('Card').getByText('pending').waitFor();
    platform().provisionCard(userOf('grace@example.com'));
    await news('Card').getByText('Your card is ready.').waitFor();
    expect(userOf('grace@example.com').card?.status).toBe('ACTIVE');
  });
});

describe('the card', () => {
  beforeEach(() => logIn('ada@example.com'));

  it('freezes and unfreezes', async () => {
    await press('Card', 'Freeze');
    await news('Card').getByText('Your card is frozen.').waitFor();
    expect(userOf('ada@example.com').card?.status).toBe('FROZEN');
    await press('Card', 'Unfreeze');
    await news('Card').getByText('works again').waitFor();
  });

  it('says honestly when freezing failed', async () => {
    platform().fail('card.freeze', 403);
    await press('Card', 'Freeze');
    await news('Card').getByText('That was refused. Nothing was changed.').waitFor();
    expect(userOf('ada@example.com').card?.status).toBe('ACTIVE');
  });

  it('shows its details once', async () => {
    await press('Card', 'Show details');
    const image = panel('Card').getByRole('img');
    await expect
      .poll(() => image.evaluate((shownImage: HTMLImageElement) => shownImage.naturalWidth))
      .toBeGreaterThan(0);
    const again = await page.request.get((await image.getAttribute('src')) ?? '');
    expect(again.status()).toBe(410);
    await picture(page, 'card-page');
  });

  it('lets the user set the PIN in the page of the service, and closes it', async () => {
    await press('Card', 'Set PIN');
    const frame = page.frameLocator('iframe[title="Set your PIN"]');
    await frame.getByLabel('New PIN').fill('4711');
    await frame.getByRole('button', { name: 'Set PIN' }).click();
    await news('Card').getByText('The PIN page is closed.').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    expect(userOf('ada@example.com').card?.pin).toBe('4711');
  });

  it('does not listen to another window that says the PIN page is over', async () => {
    await press('Card', 'Set PIN');
    await page.frameLocator('iframe').getByLabel('New PIN').waitFor();
    await page.evaluate(() => window.postMessage({ type: 'abort' }, '*'));
    await page.frameLocator('iframe').getByLabel('New PIN').fill('1');
    expect(await page.locator('iframe').count()).toBe(1);
  });
});

describe('money', () => {
  beforeEach(() => logIn('ada@example.com'));

  it('pages through the history', async () => {
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

  it('lets another wallet pay for the card', async () => {
    const solana = userOf('ada@example.com').internalWallets.find((w) => w.network === 'solana');
    await panel('Wallets')
      .getByRole('button', { name: /^Pay with it/ })
      .click();
    await expect.poll(() => userOf('ada@example.com').linkedWallets).toContain(solana?.addressId);
  });

  const registered = {
    ...{ address: '0x52908400098527886E0F7030069857D2E4169EE7', network: 'linea' },
    ...{ currency: 'usdc', balance: '0', allowance: '0' },
  };

  it('is withdrawn', async () => {
    userOf('ada@example.com').externalWallets.push(registered);
    await panel('Withdraw').getByLabel('Amount').fill('50.75');
    await press('Withdraw', 'Withdraw');
    await news('Withdraw').getByText('On its way: 0x').waitFor();
    await panel('Wallets').getByText('200 USDC').waitFor();
    await panel('History').getByText('−50.75 USDC').waitFor();
  });

  it.each([
    ['1000', 'That is more than you have'],
    ['0', 'Please correct this: amount'],
    ['1e2', 'Please correct this: amount'],
  ])('is not withdrawn for %s', async (amount, said) => {
    userOf('ada@example.com').externalWallets.push(registered);
    await panel('Withdraw').getByLabel('Amount').fill(amount);
    await press('Withdraw', 'Withdraw');
    await news('Withdraw').getByText(said).waitFor();
    expect(userOf('ada@example.com').creditWallet.balance).toBe('250.75');
  });

  it('may have moved when the answer is lost: the form says so, and sends no second one', async () => {
    userOf('ada@example.com').externalWallets.push(registered);
    platform().drop('wallets.credit.withdraw', 'after-processing');
    await panel('Withdraw').getByLabel('Amount').fill('50.75');
    await press('Withdraw', 'Withdraw');
    await news('Withdraw').getByText('We do not know whether your money was sent').waitFor();
    expect(await panel('Withdraw').getByRole('button').isDisabled()).toBe(true);
    platform().requests.only({ operation: 'wallets.credit.withdraw' });
    await panel('Wallets').getByText('200 USDC').waitFor();
    await picture(page, 'card-page-unknown');
  });
});

describe('an own wallet', () => {
  const limit = () => panel('Pay from your own wallet');
  const answerWallet = (text: string) =>
    page.getByRole('dialog').getByRole('button', { name: text }).click();
  const begin = (text: string) => limit().getByRole('button', { name: text }).click();
  const registered = () => userOf('ada@example.com').externalWallets;

  beforeEach(() => logIn('ada@example.com'));

  it('delegates on a local chain, with progress', async () => {
    await limit().getByLabel('Spending limit').fill('120');
    await begin('Delegate');
    await limit().getByText('Your wallet is waiting').waitFor();
    await picture(page, 'card-page-delegation');
    await answerWallet('Approve');
    await limit().getByText('Approve the spending limit').waitFor();
    await answerWallet('Approve');
    await limit().getByText('Done: the card may spend up to 120 USDC').waitFor();
    expect(registered()).toHaveLength(1);
    await panel('Wallets').getByText('up to 120 USDC on linea').waitFor();
  });

  it('goes on after a declined prompt and a reload, without a second signature', async () => {
    await begin('Delegate');
    await answerWallet('Approve');
    await limit().getByText('Approve the spending limit').waitFor();
    await answerWallet('Decline');
    await limit().getByText('You declined in your wallet').waitFor();
    await page.reload();
    await logIn('ada@example.com');
    await begin('Continue');
    await page.getByRole('dialog').getByText('Send a transaction?').waitFor();
    await answerWallet('Approve');
    await limit().getByText('Done: the card may spend up to 250 USDC').waitFor();
    expect(registered()).toHaveLength(1);
  });

  it('shows the refusal of the service, and registers once when asked again', async () => {
    platform().fail('delegation.submitEvmApproval', 500);
    await begin('Delegate');
    await answerWallet('Approve');
    await limit().getByText('Approve the spending limit').waitFor();
    await answerWallet('Approve');
    await limit()
      .getByText(/We do not know|was refused|Done/)
      .waitFor();
    await begin('Delegate');
    await limit().getByText('Done').waitFor();
    expect(registered()).toHaveLength(1);
  });
});

describe('everybody', () => {
  it('can read it, by machine and on a small screen', async () => {
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
    await picture(page, 'card-page-small');
  });

  it('can do without a mouse', async () => {
    expect(await page.getByLabel('E-mail').evaluate((e) => e === document.activeElement)).toBe(
      true,
    );
    await page.keyboard.type('grace@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await panel('Identity').waitFor();
    const heading = page.getByRole('heading', { name: 'My card' });
    expect(await heading.evaluate((e) => e === document.activeElement)).toBe(true);
  });
});
