import { beforeEach, describe, expect, it } from 'vitest';
import { useCardPage } from './card-page-support.js';
import { takeScreenshot } from './screenshot.js';

const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const USDC = 1_000_000n;
const PANEL = 'Pay from your own wallet';
const LIMITS = 'Limits of your own wallets';

const {
  page,
  chain,
  platform,
  userOf,
  panel,
  statusIn,
  press,
  logIn,
  expectAccessible,
  expectFitsPhone,
} = useCardPage();

const registered = () => userOf('ada@example.com').externalWallets;

// The demo user has registered another wallet, for withdrawals.
beforeEach(() => {
  registered().splice(0);
});
const review = () => panel(PANEL).getByRole('group', { name: 'Before you approve' });
const respondInWallet = (text: string) =>
  page().getByRole('dialog').getByRole('button', { name: text }).click();

/** Lets the test wallet start on this network after the next load. */
async function startWalletOn(network: number): Promise<void> {
  await page().evaluate((id) => sessionStorage.setItem('local-wallet-network', `${id}`), network);
  await page().reload();
}

/** The fact of the review with this name. */
const fact = (name: string) =>
  review().locator('dt', { hasText: name }).locator('xpath=following-sibling::dd[1]');

async function openReview(amount: string): Promise<void> {
  await panel(PANEL).getByLabel('Spending limit').fill(amount);
  await press(PANEL, 'Review');
  await review().waitFor();
}

/** Delegates with the review, a signature and a transaction. */
async function delegate(amount: string): Promise<void> {
  await openReview(amount);
  await press(PANEL, 'Approve in your wallet');
  await respondInWallet('Approve');
  await page().getByRole('dialog').getByText('Send a transaction?').waitFor();
  await respondInWallet('Approve');
  await statusIn(PANEL).getByText(`Done: the card may spend up to ${amount} USDC`).waitFor();
}

/** Sends a transaction of an account of the chain. */
async function send(account: `0x${string}`, functionName: string, args: unknown[]): Promise<void> {
  const { testClient, bank, usdc, receiptOf, chain: definition } = chain();
  await testClient.impersonateAccount({ address: account });
  await testClient.setBalance({ address: account, value: 10n ** 18n });
  const call = { account, chain: definition, ...usdc, functionName, args };
  const hash = await bank.writeContract(call);
  await receiptOf(hash);
}

const allowance = () =>
  chain().publicClient.readContract({
    ...chain().usdc,
    functionName: 'allowance',
    args: [ACCOUNT, SPENDER],
  });

describe('the review before a delegation', () => {
  beforeEach(async () => {
    await startWalletOn(59144);
    await logIn('ada@example.com');
  });

  it('shows limit, spender, token, balance and fee, and does not ask the wallet', async () => {
    await send(ACCOUNT, 'approve', [SPENDER, 40n * USDC]);
    await openReview('120');
    expect(await fact('You allow').textContent()).toBe('up to 120 USDC');
    expect(await fact('Your limit now').textContent()).toBe('40 USDC. It is replaced.');
    expect(await fact('Who may spend').textContent()).toContain(SPENDER);
    expect(await fact('Token').textContent()).toMatch(new RegExp(chain().usdc.address, 'i'));
    expect(await fact('Your wallet').first().textContent()).toBe('0x7099…79C8 holds 500 USDC');
    expect(await fact('Network fee').textContent()).toMatch(
      /^about [\d.]+ ETH\. You have [\d.]+ ETH\.$/,
    );
    expect(await fact('Your wallet asks').textContent()).toBe(
      'for a signature, which is free, and for a transaction',
    );
    await review().getByText('No problems found.').waitFor();
    expect(await page().getByRole('dialog').count()).toBe(0);
    expect(platform().requests.some(({ operation }) => operation === 'delegation.getToken')).toBe(
      false,
    );
    await takeScreenshot(page(), 'card-page-review');
  });

  it('notes a limit above the balance, which can still be set', async () => {
    await openReview('900');
    await review().getByText('The wallet has less than the limit').waitFor();
    await press(PANEL, 'Change');
    expect(
      await panel(PANEL)
        .getByLabel('Spending limit')
        .evaluate((input) => input === document.activeElement),
    ).toBe(true);
  });

  it('asks the faucet for coins if the wallet cannot pay the fee', async () => {
    await chain().testClient.setBalance({ address: ACCOUNT, value: 0n });
    await openReview('120');
    await review().getByText('The wallet cannot pay the network fee. We ask for').waitFor();
    await press(PANEL, 'Approve in your wallet');
    await page().getByRole('dialog').getByText('Sign a message?').waitFor();
    await chain().testClient.setBalance({ address: ACCOUNT, value: 10n ** 18n });
    await respondInWallet('Approve');
    await page().getByRole('dialog').getByText('Send a transaction?').waitFor();
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('Done').waitFor();
    expect(userOf('ada@example.com').isFaucetUsed).toBe(true);
  });

  it('refuses an amount that is not a number before anything is sent', async () => {
    await panel(PANEL).getByLabel('Spending limit').fill('1e2');
    await press(PANEL, 'Review');
    await statusIn(PANEL).getByText('Please correct this: amount').waitFor();
  });

  it('is read first by a screen reader, and works with the keyboard', async () => {
    await panel(PANEL).getByLabel('Spending limit').press('Enter');
    await review().waitFor();
    const focused = () => page().evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe('Before you approve');
    await page().keyboard.press('Tab');
    expect(await focused()).toBe('Approve in your wallet');
    await page().keyboard.press('Enter');
    await page().getByRole('dialog').getByText('Sign a message?').waitFor();
    await page().keyboard.press('Escape');
    await statusIn(PANEL).getByText('You declined in your wallet').waitFor();
  });
});

describe('a wallet on another network', () => {
  beforeEach(() => logIn('ada@example.com'));

  it('is asked to add Linea and to switch to it, before it can approve', async () => {
    await openReview('120');
    await review().getByText('Your wallet is on another network.').waitFor();
    expect(
      await panel(PANEL)
        .getByRole('button', { name: /^Approve/ })
        .count(),
    ).toBe(0);
    await press(PANEL, 'Switch to Linea');
    await page().getByRole('dialog').getByText('Add the network Linea').waitFor();
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('Your wallet is on Linea now.').waitFor();
    await press(PANEL, 'Approve in your wallet');
    await page().getByRole('dialog').getByText('Sign a message?').waitFor();
  });

  it('can decline the switch, and the page offers it again', async () => {
    await openReview('120');
    await press(PANEL, 'Switch to Linea');
    await respondInWallet('Decline');
    await statusIn(PANEL).getByText('You declined in your wallet').waitFor();
    await panel(PANEL).getByRole('button', { name: 'Switch to Linea' }).waitFor();
  });
});

describe("delegation from the user's own wallet", () => {
  beforeEach(async () => {
    await startWalletOn(59144);
    await logIn('ada@example.com');
  });

  it('runs on a local chain and shows its progress', async () => {
    await openReview('120');
    await press(PANEL, 'Approve in your wallet');
    await statusIn(PANEL).getByText('Your wallet is waiting').waitFor();
    await takeScreenshot(page(), 'card-page-delegation');
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('Approve the spending limit').waitFor();
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('Done: the card may spend up to 120 USDC').waitFor();
    expect(registered()).toHaveLength(1);
    await panel(LIMITS).getByText('120 of 120 USDC can be spent now').waitFor();
  });

  it('resumes after a declined prompt and a reload, without a second signature', async () => {
    await openReview('120');
    await press(PANEL, 'Approve in your wallet');
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('Approve the spending limit').waitFor();
    await respondInWallet('Decline');
    await statusIn(PANEL).getByText('You declined in your wallet').waitFor();
    await page().reload();
    await logIn('ada@example.com');
    await panel(PANEL).getByText('Your delegation of 120 USDC is not finished.').waitFor();
    await press(PANEL, 'Continue');
    await page().getByRole('dialog').getByText('Send a transaction?').waitFor();
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('Done: the card may spend up to 120 USDC').waitFor();
    expect(registered()).toHaveLength(1);
  });

  it('can start again while nothing was approved', async () => {
    await openReview('120');
    await press(PANEL, 'Approve in your wallet');
    await respondInWallet('Decline');
    await press(PANEL, 'Start again');
    await panel(PANEL).getByLabel('Spending limit').fill('80');
    await press(PANEL, 'Review');
    await expect.poll(() => fact('You allow').textContent()).toBe('up to 80 USDC');
  });

  it('shows an error of the service, and registers once when continued', async () => {
    platform().fail('delegation.submitEvmApproval', 500);
    await openReview('250');
    await press(PANEL, 'Approve in your wallet');
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('Approve the spending limit').waitFor();
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('We do not know yet').waitFor();
    // The approval is on the chain: starting again would ask for another one.
    expect(await panel(PANEL).getByRole('button', { name: 'Start again' }).count()).toBe(0);
    await press(PANEL, 'Continue');
    await statusIn(PANEL).getByText('Done').waitFor();
    expect(registered()).toHaveLength(1);
  });

  it('shows that the wallet is not registered when the service refuses the proof', async () => {
    platform().fail('delegation.submitEvmApproval', 400);
    await openReview('250');
    await press(PANEL, 'Approve in your wallet');
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('Approve the spending limit').waitFor();
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('Your wallet was not registered. Continue').waitFor();
    await press(PANEL, 'Continue');
    await statusIn(PANEL).getByText('Done').waitFor();
    expect(registered()).toHaveLength(1);
  });

  it('offers the limit that the user has set in the wallet instead', async () => {
    await page().route('**/chain', (route) => {
      const body = route.request().postData() ?? '';
      if (!body.includes('eth_sendTransaction')) return route.continue();
      const lower = body.replace((120n * USDC).toString(16), (90n * USDC).toString(16));
      return route.continue({ postData: lower });
    });
    await openReview('120');
    await press(PANEL, 'Approve in your wallet');
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('Approve the spending limit').waitFor();
    await respondInWallet('Approve');
    await statusIn(PANEL).getByText('You approved 90 in your wallet').waitFor();
    await press(PANEL, 'Continue');
    await statusIn(PANEL).getByText('Done: the card may spend up to 90 USDC').waitFor();
  });
});

describe('the limits of own wallets', () => {
  const bar = () => panel(LIMITS).getByRole('progressbar');

  beforeEach(async () => {
    await startWalletOn(59144);
    await logIn('ada@example.com');
  });

  it('show what is left of the cap after the card was used', async () => {
    await delegate('120');
    await send(SPENDER, 'transferFrom', [ACCOUNT, SPENDER, 30n * USDC]);
    await press(LIMITS, 'Refresh');
    await panel(LIMITS).getByText('90 of 120 USDC can be spent now').waitFor();
    expect(await bar().getAttribute('value')).toBe('90');
    expect(await bar().getAttribute('max')).toBe('120');
    await takeScreenshot(page(), 'card-page-limits');
  });

  it('show the balance where it is below the limit', async () => {
    await delegate('900');
    await panel(LIMITS).getByText('500 of 900 USDC can be spent now').waitFor();
    await panel(LIMITS).getByText('The wallet holds 500 USDC, less than the limit.').waitFor();
  });

  it('revoke a limit after a confirmation, and inform the service', async () => {
    await delegate('120');
    await panel(LIMITS).getByRole('button', { name: 'Revoke the limit of 0x7099…79C8' }).click();
    await page().getByRole('dialog', { name: 'Revoke this limit?' }).waitFor();
    await expectAccessible();
    await respondInWallet('Revoke');
    await page().getByRole('dialog').getByText('Sign a message?').waitFor();
    await respondInWallet('Approve');
    await page().getByRole('dialog').getByText('Send a transaction?').waitFor();
    await respondInWallet('Approve');
    await statusIn(LIMITS).getByText('Revoked. The card cannot spend').waitFor();
    await panel(LIMITS).getByText('The limit is zero').waitFor();
    expect(await allowance()).toBe(0n);
    expect(registered().map((wallet) => wallet.allowance)).toEqual(['0']);
  });

  it('revoke a limit on the chain although the service refuses the proof', async () => {
    await delegate('120');
    platform().state.choices.secondApproval = 'refused';
    await panel(LIMITS)
      .getByRole('button', { name: /^Revoke/ })
      .click();
    await respondInWallet('Revoke');
    await page().getByRole('dialog').getByText('Sign a message?').waitFor();
    await respondInWallet('Approve');
    await page().getByRole('dialog').getByText('Send a transaction?').waitFor();
    await respondInWallet('Approve');
    await statusIn(LIMITS).getByText('Nothing can be spent any more').waitFor();
    expect(await allowance()).toBe(0n);
  });

  it('keep a limit when the user presses Escape', async () => {
    await delegate('120');
    await panel(LIMITS)
      .getByRole('button', { name: /^Revoke/ })
      .click();
    await page().getByRole('dialog').waitFor();
    await page().keyboard.press('Escape');
    await expect.poll(() => page().getByRole('dialog').count()).toBe(0);
    await expect
      .poll(() =>
        panel(LIMITS)
          .getByRole('button', { name: /^Revoke/ })
          .isEnabled(),
      )
      .toBe(true);
    expect(await allowance()).toBe(120n * USDC);
  });

  it('pass axe with the review, in both colour schemes, and fit a phone', async () => {
    await delegate('120');
    await openReview('900');
    await panel(LIMITS).getByText('120 of 120 USDC').waitFor();
    await expectAccessible();
    await page().emulateMedia({ colorScheme: 'dark' });
    await expectAccessible();
    await expectFitsPhone();
  });
});
