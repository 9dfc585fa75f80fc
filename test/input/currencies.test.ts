import { describe, expect, it } from 'vitest';
import { refusedIssues, sentRequest } from './refusals.js';

const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const OTHER_EVM = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

const withdrawal = (currency: string) => ({
  amount: '1',
  currency,
  sourceAddress: EVM,
  recipientAddress: OTHER_EVM,
});
const history = (walletCurrency: string) => ({
  walletId: 'w',
  walletType: 'INTERNAL',
  walletCurrency,
});
const creation = (currency: string) => ({ wallets: [{ network: 'linea', currency }] });

/** "Lowercase code" of the contract, which shows neither alphabet nor length. */
const CODES = ['usdc', 'usdc.e', '1inch', 'usd₮0', '€urc', 'a'.repeat(200)];
const NEVER = ['', ' usdc', 'usd c', 'usdc\n', 'usdc\u200b', 'a'.repeat(201)];

describe('the code of a currency', () => {
  it.each(CODES)('%s can be withdrawn', async (currency) => {
    const { body } = await sentRequest('wallets.internal.withdraw', withdrawal(currency));
    expect(body).toMatchObject({ currency });
  });

  it.each([...NEVER, 'USDC', 'usdC.e'])('%j cannot be withdrawn', async (currency) => {
    const issues = await refusedIssues('wallets.internal.withdraw', withdrawal(currency));
    expect(issues.map(({ path }) => path)).toEqual(['currency']);
  });

  // The contract calls it a string here, and a list may be filled by another program.
  it.each([...CODES, 'USDC'])('%s can be that of a history', async (walletCurrency) => {
    const { url } = await sentRequest('wallets.history.list', history(walletCurrency));
    expect(new URL(url).searchParams.get('walletCurrency')).toBe(walletCurrency);
  });

  it.each(NEVER)('%j cannot be that of a history', async (walletCurrency) => {
    const issues = await refusedIssues('wallets.history.list', history(walletCurrency));
    expect(issues.map(({ path }) => path)).toContain('walletCurrency');
  });

  it.each([...CODES, 'USDC'])('%s can be that of a new wallet', async (currency) => {
    const { body } = await sentRequest('wallets.internal.create', creation(currency));
    expect(body).toEqual(creation(currency));
  });

  // The journal separates the wallets of a request by them.
  it.each([
    ...NEVER,
    'usdc,usdt',
    'linea:usdc',
  ])('%j cannot be that of a new wallet', async (text) => {
    const issues = await refusedIssues('wallets.internal.create', creation(text));
    expect(issues.map(({ path }) => path)).toEqual(['wallets.0.currency']);
  });
});
