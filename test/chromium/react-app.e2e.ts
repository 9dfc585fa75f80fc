import { describe, expect, it } from 'vitest';
import { useReactApp } from './react-app-support.js';

const { page, context, platform, wallet, ada, panel, logIn, openTab, withdraw, withdrawals } =
  useReactApp();

const MINUTE = 60_000;

describe('a withdrawal whose response is lost while the tab is closed', () => {
  it('is shown as made in the next tab, and the money has moved once', async () => {
    const held = platform().hold('wallets.credit.withdraw', { moment: 'after-processing' });
    await withdraw('50.75');
    await held.arrived;
    await page().close();
    platform().advance('10 minutes');
    await openTab(10 * MINUTE);
    await panel('Not finished')
      .getByText(/^Your withdrawal of 50.75 was made\./)
      .waitFor();
    expect(await panel('Withdraw').getByRole('button').isDisabled()).toBe(true);
    await panel('Not finished').getByRole('button', { name: 'OK' }).click();
    await panel('Not finished').waitFor({ state: 'detached' });
    await panel('Balance').getByText('200 usdc').waitFor();
    await page().reload();
    await panel('Balance').getByText('200 usdc').waitFor();
    expect(await panel('Not finished').count()).toBe(0);
    expect([withdrawals(), ada().creditWallet.balance]).toEqual([1, '200']);
  });

  it('is shown as not made when the service never acted on it, and can be made again', async () => {
    const held = platform().hold('wallets.credit.withdraw');
    platform().drop('wallets.credit.withdraw', 'before-processing');
    await withdraw('50.75');
    await held.arrived;
    await page().close();
    held.release();
    await openTab();
    await panel('Not finished').getByText('We do not know yet').waitFor();
    expect(await panel('Withdraw').getByRole('button').isDisabled()).toBe(true);
    await page().close();
    platform().advance('10 minutes');
    await openTab(10 * MINUTE);
    await panel('Not finished').getByText('was not made. No money was moved').waitFor();
    expect([withdrawals(), ada().creditWallet.balance]).toEqual([1, '250.75']);
    await panel('Not finished').getByRole('button', { name: 'OK' }).click();
    await withdraw('50.75');
    await panel('Withdraw').getByText('Your withdrawal was made.').waitFor();
    expect([withdrawals(), ada().creditWallet.balance]).toEqual([2, '200']);
  });

  it('is still shown after the user has logged out and in again', async () => {
    const held = platform().hold('wallets.credit.withdraw', { moment: 'after-processing' });
    await withdraw('50.75');
    await held.arrived;
    await page().reload();
    await page().getByRole('button', { name: 'Log out' }).click();
    await page().getByText('You are logged out.').waitFor();
    await logIn();
    await panel('Not finished').getByText('We do not know yet').waitFor();
    expect([withdrawals(), ada().creditWallet.balance]).toEqual([1, '200']);
  });
});

describe('a browser that has deleted the journal', () => {
  /** Leaves what `indexedDbStore` writes when Chromium says so. See `stores.e2e.ts`. */
  const loseJournal = () =>
    page().evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open('card-platform-sdk');
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const change = opening.result.transaction('values', 'readwrite');
            change.objectStore('values').put('deleted', 'card-platform.journal.0');
            change.oncomplete = () => resolve();
          };
        }),
    );

  it('lets the user check before the next withdrawal', async () => {
    await loseJournal();
    await page().reload();
    await panel('Not finished').getByText('This browser has lost its record').waitFor();
    expect(await panel('Withdraw').getByRole('button').isDisabled()).toBe(true);
    await panel('Not finished').getByRole('button', { name: 'OK' }).click();
    await panel('Not finished').waitFor({ state: 'detached' });
    await withdraw('50.75');
    await panel('Withdraw').getByText('Your withdrawal was made.').waitFor();
    expect([withdrawals(), ada().creditWallet.balance]).toEqual([1, '200']);
  });
});

describe('a withdrawal whose connection breaks while the tab is open', () => {
  it('is looked up at once, and the user reads that it is not decided yet', async () => {
    platform().drop('wallets.credit.withdraw', 'after-processing');
    await withdraw('50.75');
    await panel('Not finished').getByText('We do not know yet').waitFor();
    expect([withdrawals(), ada().creditWallet.balance]).toEqual([1, '200']);
  });
});

describe('a withdrawal while the browser is offline', () => {
  const balanceReads = () =>
    platform().requests.filter(({ operation }) => operation === 'wallets.credit.get').length;

  /** Goes offline when the page can take a withdrawal: the code of the journal is loaded by then. */
  async function goOffline(): Promise<void> {
    await panel('Withdraw').getByRole('button', { disabled: false }).waitFor();
    await context().setOffline(true);
  }

  /** Goes online again, and waits until the queries have noticed it. */
  async function goOnline(): Promise<void> {
    const before = balanceReads();
    await context().setOffline(false);
    await expect.poll(balanceReads).toBeGreaterThan(before);
  }

  it('is not sent when the browser is online again, nor after a reload', async () => {
    await goOffline();
    await withdraw('50.75');
    await panel('Not finished').getByText('We do not know yet').waitFor();
    await goOnline();
    await page().reload();
    await panel('Balance').getByText('250.75 usdc').waitFor();
    // The journal stores its first look before it answers: without one, time passes for nothing.
    await panel('Not finished').getByText('We do not know yet').waitFor();
    expect(withdrawals()).toBe(0);
    await page().close();
    platform().advance('10 minutes');
    await openTab(10 * MINUTE);
    await panel('Not finished').getByText('was not made. No money was moved').waitFor();
    expect([withdrawals(), ada().creditWallet.balance]).toEqual([0, '250.75']);
  });

  it('is not sent later either when the page was just reloaded', async () => {
    await page().reload();
    await panel('Balance').getByText('250.75 usdc').waitFor();
    await goOffline();
    await withdraw('50.75');
    const status = panel('Withdraw').getByRole('status');
    await status.getByText(/^(Nothing was sent|We do not know)/).waitFor();
    await goOnline();
    expect([withdrawals(), ada().creditWallet.balance]).toEqual([0, '250.75']);
  });
});

describe('the session', () => {
  it('ends in every tab when the user logs out in one', async () => {
    const first = page();
    await openTab();
    await page().getByRole('button', { name: 'Log out' }).click();
    await first.getByText('You are logged out.').waitFor();
  });

  it('ends with a reason when the service refuses its token', async () => {
    platform().fail('wallets.credit.get', 401, { times: 2 });
    await page().reload();
    await page().getByText('Your session has ended.').waitFor();
  });
});

describe('a delegation', () => {
  it('shows its progress, and the new limit when it is done', async () => {
    const prompt = wallet().holdNext();
    await panel('Pay from your own wallet').getByLabel('Spending limit').fill('120');
    await panel('Pay from your own wallet').getByRole('button').click();
    await prompt.opened;
    const status = panel('Pay from your own wallet').getByRole('status');
    await status.getByText('Sign the message in your wallet.').waitFor();
    prompt.accept();
    await status.getByText('Done: your card may spend up to 120 USDC.').waitFor();
    await panel('Pay from your own wallet').getByText('up to 120 usdc on linea').waitFor();
  });

  it('shows that the user has declined, and registers nothing', async () => {
    const before = ada().externalWallets.length;
    wallet().declineNext();
    // The wallet would not be asked for the limit that it has.
    await panel('Pay from your own wallet').getByLabel('Spending limit').fill('121');
    await panel('Pay from your own wallet').getByRole('button').click();
    const status = panel('Pay from your own wallet').getByRole('status');
    await status.getByText('You declined in your wallet.').waitFor();
    expect(ada().externalWallets).toHaveLength(before);
  });
});
