import { describe, expect, it } from 'vitest';
import { useReactApp } from './react-app-support.js';

const { page, context, platform, ada, panel, openTab, withdraw, withdrawals } = useReactApp();

const MINUTE = 60_000;

describe('a withdrawal whose response is lost while the tab is closed', () => {
  it('is shown as made in the next tab, and the money has moved once', async () => {
    const held = platform().hold('wallets.credit.withdraw', { moment: 'after-processing' });
    await withdraw('50.75');
    await held.arrived;
    await page().close();
    await openTab();
    await panel('Not finished').getByText('Your withdrawal of 50.75 was made.').waitFor();
    expect(await panel('Withdraw').getByRole('button').isDisabled()).toBe(true);
    await panel('Not finished').getByRole('button', { name: 'OK' }).click();
    await panel('Not finished').waitFor({ state: 'detached' });
    await panel('Balance').getByText('200 usdc').waitFor();
    await page().reload();
    await panel('Balance').getByText('200 usdc').waitFor();
    expect(await panel('Not finished').count()).toBe(0);
    expect([withdrawals(), ada().creditWallet.balance]).toEqual([1, '200']);
  });

  it('is shown as not made when it never reached the service, and can be made again', async () => {
    const reached = new Promise<void>((resolve) => {
      // Never continued: the request leaves the page and is lost.
      void page().route('**/withdraw*', () => resolve());
    });
    await withdraw('50.75');
    await reached;
    await page().close();
    await openTab();
    await panel('Not finished').getByText('We do not know yet').waitFor();
    expect(await panel('Withdraw').getByRole('button').isDisabled()).toBe(true);
    await page().close();
    platform().advance('10 minutes');
    await openTab(10 * MINUTE);
    await panel('Not finished').getByText('was not made. No money was moved').waitFor();
    expect([withdrawals(), ada().creditWallet.balance]).toEqual([0, '250.75']);
    await panel('Not finished').getByRole('button', { name: 'OK' }).click();
    await withdraw('50.75');
    await panel('Withdraw').getByText('Your withdrawal was made.').waitFor();
    expect([withdrawals(), ada().creditWallet.balance]).toEqual([1, '200']);
  });
});
