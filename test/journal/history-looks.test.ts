import { describe, expect, it } from 'vitest';
import { json } from '../support/clients.js';
import {
  CREDIT_WALLET,
  DAY,
  debit,
  lookTwice,
  loseRequest,
  MINUTE,
  reconcileScripted,
  type Scene,
  SETTLED,
  setUpScripted,
  WITHDRAWAL,
  withHistory,
} from './scripted-reads.js';

describe('a credit withdrawal', () => {
  it.each([
    ['executed', 'an equal debit of that time', [debit('10.00', 1_000)]],
    ['not_executed', 'no debit', []],
    ['not_executed', 'an equal debit of minutes before', [debit('10', -2 * MINUTE)]],
    ['not_executed', 'an equal credit', [{ ...debit('10', 1_000), sign: 'credit' }]],
    ['undecided', 'an equal debit beside another one', [debit('10', 1_000), debit('99', 1_000)]],
    ['undecided', 'two equal debits', [debit(), debit()]],
    ['undecided', 'a debit of any other amount', [debit('10.5', 1_000)]],
    ['undecided', 'a debit with a large fee', [debit('19.40', 1_000)]],
    ['undecided', 'a debit in base units', [debit('10000000', 1_000)]],
    ['undecided', 'an equal debit of a time that is still to come', [debit('10', DAY)]],
    ['undecided', 'a debit without a time', [{ ...debit('10', 0), date: 'yesterday' }]],
    ['undecided', 'an amount that is not a number', [debit('ten', 1_000)]],
  ])('is %s if the history shows %s', async (verdict, _, history) => {
    const finding = await reconcileScripted(WITHDRAWAL, withHistory(history));
    expect(finding.verdict).toBe(verdict);
  });

  it.each([
    ['executed', [debit('10', DAY), debit('99', DAY), debit()]],
    ['not_executed', [debit('10', DAY), debit('99', DAY)]],
  ])('is %s whatever happens later than it can have been executed', async (verdict, history) => {
    const scene: Scene = setUpScripted(
      withHistory(() => history.filter(({ date }) => Date.parse(date) <= scene.clock.now())),
    );
    const entry = await loseRequest(scene, WITHDRAWAL);
    await scene.client.journal.reconcile(entry);
    await scene.clock.advance(2 * DAY);
    expect((await scene.client.journal.reconcile(entry)).verdict).toBe(verdict);
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
  /** Debits from before the request, which concern nobody. */
  const older = (count: number) =>
    Array.from({ length: count }, (_, index) => debit('99', -3 * DAY - index * MINUTE));
  const page = (rows: readonly object[], number: number) =>
    rows.slice(number * 10, number * 10 + 10);

  /** Looks up a request once while the history is this, and returns the pages that were read. */
  async function lookOnce(rowsOf: (read: number) => readonly object[], journal = {}) {
    const read: number[] = [];
    const history = (query: URLSearchParams) => {
      read.push(Number(query.get('page') ?? 0));
      return page(rowsOf(read.length), read.at(-1) ?? 0);
    };
    const finding = await reconcileScripted(WITHDRAWAL, withHistory(history), {
      looks: 1,
      journal,
    });
    return { ...finding, read };
  }
  const UNREADABLE = 'the history could not be read to its end, or has just changed';
  const SETTLING = 'there is no effect yet, but the service may still be working on it';

  it('are read until one ends with rows that are older than the request', async () => {
    const recent = Array.from({ length: 15 }, (_, index) => debit('99', 20_000 - index));
    const { read } = await lookOnce(() => [...recent, ...older(30)]);
    // The first one again, which shows that no row has moved to another page meanwhile.
    expect(read).toEqual([0, 1, 0]);
    expect((await lookOnce(() => older(30))).read).toEqual([0]);
  });

  it('are read to the end if they are not sorted by time, or their times cannot be read', async () => {
    const mixed = [...older(12)].reverse();
    expect((await lookOnce(() => mixed)).read).toEqual([0, 1, 0]);
    const undated = older(20).map((row) => ({ ...row, date: 'soon' }));
    expect((await lookOnce(() => undated)).read).toEqual([0, 1, 2, 1, 0]);
  });

  const filler = Array.from({ length: 9 }, (_, index) => debit('99', 20_000 - index));

  it('hide no debit when a row disappears between two of them', async () => {
    // While the second page is read, its first row moves to the first page.
    const before = [debit('98', 30_000), ...filler, debit('10', 1_000), ...older(5)];
    const { evidence, read } = await lookOnce((count) => (count < 2 ? before : before.slice(1)));
    expect(read).toEqual([0, 1, 0, 0, 1, 0]);
    expect(JSON.stringify(evidence)).toContain('"amount":"10"');
  });

  it('double no debit when a row is added between two of them', async () => {
    const before = [...filler, debit('10', 1_000), ...older(5)];
    const after = [debit('98', 30_000), ...before];
    const { evidence } = await lookOnce((count) => (count < 2 ? before : after));
    expect(JSON.stringify(evidence).split('"amount":"10"')).toHaveLength(2);
  });

  it.each([
    ['undecided', 'is new', 6 * MINUTE],
    ['not_executed', 'is shown by every read', 6 * MINUTE + 1],
  ])('are %s if one of them comes from an older read, while a row %s', async (verdict, _, age) => {
    let now = () => 0;
    // The second page is from before the first row was added: the debit of 10 is on neither page.
    const history = (query: URLSearchParams) => {
      const added = { ...debit('98', 0), date: new Date(now() - age).toISOString() };
      const others = Array.from({ length: 9 }, () => debit('99', -30_000));
      const credits = [added, ...others].map((row) => ({ ...row, sign: 'credit' }));
      return query.get('page') === '1' ? [] : credits;
    };
    const scene = setUpScripted(withHistory(history));
    now = () => scene.clock.now();
    const entry = await loseRequest(scene, WITHDRAWAL);
    expect((await lookTwice(scene, entry, SETTLED)).verdict).toBe(verdict);
  });

  it('decide nothing while they keep moving', async () => {
    const { verdict, reason, read } = await lookOnce((count) => [
      debit('98', 20_000 + count),
      ...filler,
      ...older(5),
    ]);
    expect({ verdict, reason }).toEqual({ verdict: 'undecided', reason: UNREADABLE });
    expect(read).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
  });

  it('decide nothing if there is no end', async () => {
    const endless = Array.from({ length: 400 }, (_, index) => debit('99', 20_000 - index));
    const { verdict, reason, read } = await lookOnce(() => endless);
    expect({ verdict, reason, pages: read.length }).toEqual({
      verdict: 'undecided',
      reason: UNREADABLE,
      pages: 30,
    });
  });

  it('may be of any number as long as there is an end', async () => {
    expect((await lookOnce(() => older(9))).reason).toBe(SETTLING);
    expect((await lookOnce(() => older(10))).reason).toBe(SETTLING);
    expect((await lookOnce(() => [])).reason).toBe(SETTLING);
  });
});

describe('a withdrawal from a custodial wallet', () => {
  const details = { amount: '10', currency: 'usdc', sourceAddress: 'address-1', sourceMemo: '' };
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
    await scene.client.journal.reconcile(entry);
    token = 'token-of-ada';
    used.length = 0;
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
    asked.length = 0;
    expect((await lookTwice(scene, entry)).verdict).toBe('not_executed');
    expect(asked).toEqual(['request', 'rejected', 'request']);
  });
});
