import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_PASSWORD } from '../../src/testing/users.js';
import { useCardPage } from './card-page-support.js';
import { takeScreenshot } from './screenshot.js';

const { page, platform, userOf, panel, statusIn, press, logIn, expectAccessible, expectFitsPhone } =
  useCardPage();

describe('the login of the card page', () => {
  it('asks for the one-time password that was sent', async () => {
    await expectAccessible();
    await takeScreenshot(page(), 'card-page-login');
    await logIn('ada@example.com');
    await page().getByRole('heading', { name: 'My card' }).waitFor();
    const keys = platform().requests.map(({ headers }) => headers['x-client-key']);
    expect(new Set(keys)).toEqual(new Set([platform().credentials.clientKey]));
  });

  it('shows that a wrong password was refused', async () => {
    await page().getByLabel('E-mail').fill('ada@example.com');
    await page().getByLabel('Password').fill('wrong');
    await press('Log in', 'Log in');
    await statusIn('Log in').getByText('That was refused').waitFor();
  });
});

describe('a new user on the card page', () => {
  it('verifies the identity, orders a card, and sees it become active', async () => {
    await logIn('grace@example.com');
    const [tab] = await Promise.all([
      page().waitForEvent('popup'),
      press('Identity', 'Verify identity'),
    ]);
    await tab.getByRole('button', { name: 'Submit valid documents' }).click();
    await tab.getByText('being reviewed').waitFor();
    platform().advance('10 minutes');
    await press('Card', 'Order a card');
    await statusIn('Card').getByText('pending').waitFor();
    platform().cards.provision(userOf('grace@example.com'));
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
    const again = await page().request.get((await image.getAttribute('src')) ?? '');
    expect(again.status()).toBe(410);
    await takeScreenshot(page(), 'card-page');
  });

  it('embeds the PIN page of the service, and closes it when the PIN is set', async () => {
    await press('Card', 'Set PIN');
    const frame = page().frameLocator('iframe[title="Set your PIN"]');
    await frame.getByLabel('New PIN').fill('4711');
    await frame.getByRole('button', { name: 'Set PIN' }).click();
    await statusIn('Card').getByText('The PIN page is closed.').waitFor();
    expect(await page().locator('iframe').count()).toBe(0);
    expect(userOf('ada@example.com').card?.pin).toBe('4711');
  });

  it('keeps the PIN page open when another window posts the abort message', async () => {
    await press('Card', 'Set PIN');
    await page().frameLocator('iframe').getByLabel('New PIN').waitFor();
    await page().evaluate(() => window.postMessage({ type: 'abort' }, '*'));
    await page().frameLocator('iframe').getByLabel('New PIN').fill('1');
    expect(await page().locator('iframe').count()).toBe(1);
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
    await takeScreenshot(page(), 'card-page-unknown');
  });
});

describe('the accessibility of the card page', () => {
  it('passes axe in both colour schemes and fits a 360 px wide screen', async () => {
    await logIn('ada@example.com');
    await panel('History').getByText('Coffee 24').waitFor();
    await expectAccessible();
    await page().emulateMedia({ colorScheme: 'dark' });
    await expectAccessible();
    await expectFitsPhone();
    await takeScreenshot(page(), 'card-page-small');
  });

  it('allows login with the keyboard only', async () => {
    expect(
      await page()
        .getByLabel('E-mail')
        .evaluate((e) => e === document.activeElement),
    ).toBe(true);
    await page().keyboard.type('grace@example.com');
    await page().keyboard.press('Tab');
    await page().keyboard.type(DEFAULT_PASSWORD);
    await page().keyboard.press('Enter');
    await panel('Identity').waitFor();
    const heading = page().getByRole('heading', { name: 'My card' });
    expect(await heading.evaluate((e) => e === document.activeElement)).toBe(true);
  });
});
