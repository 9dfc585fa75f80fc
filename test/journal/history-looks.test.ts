import { describe, expect, it } from 'vitest';
import { json } from '../support/clients.js';
import {
  CREDIT_WALLET,
  DAY,
  debit,
  loseRequest,
  MINUTE,
  reconcileScripted,
  SETTLED,
  setUpScripted,
  WITHDRAWAL,
  withHistory,
} from './scripted-reads.js';

describe('a credit withdrawal', () => {
  it.each([
    ['executed', 'an equal debit of that time', [debit('10.00', 1_000)]],
    ['executed', 'an equal debit beside others', [debit('10', 1_000), debit('99', 1_000)]],
    ['not_executed', 'no debit', []],
    ['not_executed', 'an equal debit of the days before', [debit('10', -2 * DAY)]],
    ['not_executed', 'an equal credit', [{ ...debit('10', 1_000), sign: 'credit' }]],
    ['not_executed', 'a debit that no fee explains', [debit('99', 1_000)]],
    ['undecided', 'a debit that a fee may explain', [debit('10.5', 1_000)]],
    ['undecided', 'an equal debit hours earlier', [debit('10', -120 * MINUTE)]],
    ['undecided', 'a debit without a time', [{ ...debit('10', 0), date: 'yesterday' }]],
    ['undecided', 'an amount that is not a number', [debit('ten', 1_000)]],
  ])('is %s if the history shows %s', async (verdict, _, history) => {
    const finding = await reconcileScripted(WITHDRAWAL, withHistory(history));
    expect(finding.verdict).toBe(verdict);
  });

  it('counts a debit whose sign is not known', async () => {
    const history = [{ ...debit('10', 1_000), sign: 'out' }];
    const finding = await reconcileScripted(WITHDRAWAL, withHistory(history));
    expect(finding.verdict).not.toBe('not_executed');
  });

  it('is undecided if the service shows no wallet', async () => {
    const responses = {
      ...withHistory([]),
      'wallets.credit.get': json({ message: 'Not found' }, 404),
    };
    const finding = await reconcileScripted(WITHDRAWAL, responses);
    expect(finding).toMatchObject({ verdict: 'undecided', evidence: [] });
  });

  it('is undecided if the wallet has no id', async () => {
    const responses = { ...withHistory([]), 'wallets.credit.get': { balance: '100' } };
    const finding = await reconcileScripted(WITHDRAWAL, responses);
    expect(finding).toMatchObject({ verdict: 'undecided', evidence: [] });
  });
});

describe('the pages of a history', () => {
  const recent = Array.from({ length: 10 }, (_, index) => debit('99', 1_000 + index));
  const old = debit('99', -3 * DAY);

  /** Reconciles with these pages, and returns the numbers of those that were read. */
  async function withPages(pageOf: (page: number, read: number) => object[]) {
    const read: number[] = [];
    const finding = await reconcileScripted(
      WITHDRAWAL,
      withHistory((query: URLSearchParams) => {
        const page = Number(query.get('page') ?? 0);
        read.push(page);
        return pageOf(page, read.length);
      }),
    );
    return { ...finding, read };
  }

  it('are read until one has rows that are older than the request', async () => {
    const { verdict, read } = await withPages((page) =>
      page === 2 ? [...recent.slice(1), old] : recent,
    );
    // The first one again, which shows that no row has moved to another page meanwhile.
    expect(read).toEqual([0, 1, 2, 0]);
    expect(verdict).toBe('not_executed');
  });

  it('are read until one is not full, and the effect may be on any of them', async () => {
    const { verdict, read } = await withPages((page) =>
      page === 0 ? recent : [debit('10', 1_000)],
    );
    expect(read).toEqual([0, 1, 0]);
    expect(verdict).toBe('executed');
  });

  it('decide nothing if the first one has changed meanwhile', async () => {
    const { verdict, reason } = await withPages((page, read) =>
      page === 0 ? [debit('98', read), ...recent.slice(1)] : [],
    );
    expect(verdict).toBe('undecided');
    expect(reason).toBe('the history could not be read to its end');
  });

  it('decide nothing if there is no end', async () => {
    const { verdict, reason, read } = await withPages(() => recent);
    expect(read).toHaveLength(30);
    expect({ verdict, reason }).toEqual({
      verdict: 'undecided',
      reason: 'the history could not be read to its end',
    });
  });
});

describe('a withdrawal from a custodial wallet', () => {
  const details = { amount: '10', currency: 'usdc', sourceAddress: 'address-1' };
  const request = { operation: 'wallets.internal.withdraw', details };
  const wallet = {
    id: 'wallet-1',
    address: 'address-1',
    addressId: 'id-of-address-1',
    currency: 'USDC',
    balance: '5',
    addressMemo: '7',
  };
  const queries: URLSearchParams[] = [];
  const withWallets = (...wallets: object[]) => ({
    'wallets.internal.list': wallets,
    'wallets.history.list': (query: URLSearchParams) => {
      queries.push(query);
      return [debit('10', 1_000)];
    },
  });

  it('is looked up in the history of that wallet', async () => {
    const finding = await reconcileScripted(request, withWallets(wallet));
    expect(finding.verdict).toBe('executed');
    expect(Object.fromEntries(queries.at(-1) ?? [])).toMatchObject({
      walletId: 'wallet-1',
      walletType: 'INTERNAL',
      walletCurrency: 'usdc',
    });
  });

  it('tells wallets of one address apart by the memo', async () => {
    const withMemo = { ...request, details: { ...details, sourceMemo: '8' } };
    const other = { ...wallet, id: 'wallet-2', addressMemo: '8' };
    const finding = await reconcileScripted(withMemo, withWallets(wallet, other));
    expect(finding.verdict).toBe('executed');
    expect(queries.at(-1)?.get('walletId')).toBe('wallet-2');
  });

  it.each([
    ['two wallets', [wallet, { ...wallet, id: 'wallet-2' }]],
    ['none', []],
    ['one of another currency', [{ ...wallet, currency: 'usdt' }]],
    ['one whose address is in another case', [{ ...wallet, address: 'ADDRESS-1' }]],
  ])('is undecided if the list shows %s', async (_, wallets) => {
    const finding = await reconcileScripted(request, withWallets(...wallets));
    expect(finding.verdict).toBe('undecided');
  });
});

describe('the token of the reads', () => {
  it('is that of the entry, even if the provider returns another one meanwhile', async () => {
    let token = 'token-of-ada';
    const used: unknown[] = [];
    const switchUser = (body: unknown) => (_: URLSearchParams, headers: Headers) => {
      used.push(headers.get('authorization'));
      token = 'token-of-bob';
      return body;
    };
    const scene = setUpScripted(
      {
        'wallets.credit.get': switchUser(CREDIT_WALLET),
        'wallets.history.list': switchUser([]),
      },
      { accessToken: () => token },
    );
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(SETTLED);
    const finding = await scene.client.journal.reconcile(entry);
    expect(used).toEqual(['Bearer token-of-ada', 'Bearer token-of-ada']);
    expect(finding.verdict).toBe('not_executed');
    // From now on, it acts for somebody else.
    expect(await scene.client.journal.reconcile(entry)).toMatchObject({
      verdict: 'undecided',
      evidence: [],
    });
  });

  it('is renewed by the provider when the service refuses it', async () => {
    const asked: string[] = [];
    const scene = setUpScripted(
      {
        'wallets.credit.get': CREDIT_WALLET,
        'wallets.history.list': () =>
          asked.includes('rejected') ? [] : json({ message: 'Unauthorized' }, 401),
      },
      {
        accessToken: ({ reason }) => {
          asked.push(reason);
          return reason === 'request' ? 'token-of-ada' : 'next-token-of-ada';
        },
      },
    );
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.clock.advance(SETTLED);
    asked.length = 0;
    expect((await scene.client.journal.reconcile(entry)).verdict).toBe('not_executed');
    expect(asked).toEqual(['request', 'rejected']);
  });
});
