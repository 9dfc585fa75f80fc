import { describe, expect, it } from 'vitest';
import { rejection } from '../support/clients.js';
import { codeOf, setUp } from './set-up.js';

const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7';

async function withWallet(balance: string) {
  const { mock, ada, client } = setUp();
  await client.wallets.internal.create({ wallets: [{ network: 'linea', currency: 'usdc' }] });
  const [wallet] = await client.wallets.internal.list();
  if (wallet === undefined) throw new Error('no wallet was created');
  for (const kept of mock.users.get(ada.id).internalWallets) kept.balance = balance;
  const withdraw = (amount: string, recipientAddress = RECIPIENT, checkRecipient = true) =>
    client.wallets.internal.withdraw({
      amount,
      recipientAddress,
      checkRecipient,
      currency: 'usdc',
      sourceAddress: wallet.address,
    });
  return { mock, ada, client, wallet, withdraw };
}

const XRP_RECIPIENT = 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH';

describe('internal wallets on the mock platform', () => {
  it.each([
    ['12.5', '37.5'],
    ['0.000001', '49.999999'],
    ['50', '0'],
  ])('pay out %s of 50 and keep %s', async (amount, left) => {
    const { client, withdraw } = await withWallet('50');
    await withdraw(amount);
    expect((await client.wallets.internal.list())[0]?.balance).toBe(left);
  });

  it.each([
    ['50.000001', RECIPIENT, 'insufficient_balance'],
    ['1', 'nowhere', 'invalid_recipient_address'],
    ['1', RECIPIENT.replace('E', 'e'), 'invalid_recipient_address'],
  ])('reject a withdrawal of %s to %s', async (amount, recipient, code) => {
    const { client, withdraw } = await withWallet('50');
    expect(await codeOf(withdraw(amount, recipient, false))).toBe(code);
    expect((await client.wallets.internal.list())[0]?.balance).toBe('50');
  });

  it('are as strict as the contract, but not as strict as the client', async () => {
    const { client, wallet } = await withWallet('50');
    const withdraw = (recipientAddrss: string, amount: string) =>
      client.request('POST', '/v1/wallet/internal/withdraw', {
        body: { amount, recipientAddrss, currency: 'usdc', sourceAddress: wallet.address },
      });
    await withdraw(RECIPIENT, `0.${'0'.repeat(40)}1`);
    await withdraw(wallet.address, '1');
    expect((await client.wallets.internal.list())[0]?.balance).toBe(`48.${'9'.repeat(41)}`);
    for (const recipient of ['', 'nowhere', ` ${RECIPIENT}`, `${RECIPIENT}\u001b`]) {
      expect(await rejection(withdraw(recipient, '1'))).toMatchObject({
        status: 400,
        serverMessage: 'Invalid recipient address format',
      });
    }
    expect(await rejection(withdraw('', '-1'))).toMatchObject({
      status: 422,
      fieldErrors: [{ field: 'amount' }, { field: 'recipientAddrss' }],
    });
  });

  it('pay only from the wallet of the address, the memo and the currency', async () => {
    const { client } = setUp({
      wallets: [{ balance: '50', address: 'shared', addressMemo: '7', network: 'xrp' }],
    });
    const pay = (changes: object) =>
      codeOf(
        client.request('POST', '/v1/wallet/internal/withdraw', {
          body: {
            ...{ amount: '1', recipientAddrss: XRP_RECIPIENT, recipientMemo: '1' },
            ...{ currency: 'xrp', sourceAddress: 'shared', ...changes },
          },
        }),
      );
    expect(await pay({ currency: 'usdc' })).not.toBe('ok');
    expect(await pay({ sourceMemo: '8' })).not.toBe('ok');
    expect(await pay({ sourceAddress: 'other' })).not.toBe('ok');
    expect((await client.wallets.internal.list())[0]?.balance).toBe('50');
    expect(await pay({ sourceMemo: '7' })).toBe('ok');
    expect(await pay({})).toBe('ok');
    expect((await client.wallets.internal.list())[0]?.balance).toBe('48');
  });

  it.each([
    [23, 'invalid_recipient_address'],
    [24, 'ok'],
    [34, 'ok'],
    [35, 'invalid_recipient_address'],
  ])('pay to an address of XRP with %i characters after the r: %s', async (length, code) => {
    const { client } = setUp({ wallets: [{ balance: '50', address: 'own', network: 'xrp' }] });
    const body = {
      ...{ amount: '1', currency: 'xrp', sourceAddress: 'own' },
      ...{ recipientAddrss: `r${'1'.repeat(length)}`, recipientMemo: '1' },
    };
    expect(await codeOf(client.request('POST', '/v1/wallet/internal/withdraw', { body }))).toBe(
      code,
    );
  });

  it('list a withdrawal in the history', async () => {
    const { client, wallet, withdraw } = await withWallet('50');
    await withdraw('5');
    const input = { walletId: wallet.id, walletType: 'INTERNAL', walletCurrency: 'usdc' } as const;
    expect(await client.wallets.history.list(input)).toMatchObject([
      { amount: '5', sign: 'debit' },
    ]);
  });

  it('link at most five wallets to the card', async () => {
    const { client } = setUp();
    await client.wallets.internal.create({
      wallets: ['linea', 'ethereum', 'solana'].flatMap((network) =>
        ['usdc', 'usdt'].map((currency) => ({ network, currency })),
      ),
    });
    const wallets = await client.wallets.internal.list();
    const codes: string[] = [];
    for (const { addressId } of wallets) {
      codes.push(await codeOf(client.wallets.internal.linkToCard({ addressId })));
    }
    expect(codes).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'max_linked_wallets']);
    expect(await client.wallets.internal.listLinked()).toHaveLength(5);
    const addressId = wallets[0]?.addressId ?? '';
    // It is linked already.
    expect(await codeOf(client.wallets.internal.linkToCard({ addressId }))).toBe('ok');
    expect(await client.wallets.internal.listLinked()).toHaveLength(5);
    await client.wallets.internal.unlinkFromCard({ addressId });
    expect(await codeOf(client.wallets.internal.unlinkFromCard({ addressId }))).toBe(
      'operation_rejected',
    );
    expect(await client.wallets.internal.listLinked()).toHaveLength(4);
  });

  it('reject an unknown currency of a network, and have a memo on XRP', async () => {
    const { client } = setUp();
    const wrong = { network: 'linea', currency: 'xrp' };
    for (const wallets of [[wrong], [{ network: 'linea', currency: 'usdc' }, wrong]]) {
      expect(await codeOf(client.wallets.internal.create({ wallets }))).toBe(
        'invalid_network_or_currency',
      );
    }
    expect(await client.wallets.internal.list()).toEqual([]);
    await client.wallets.internal.create({ wallets: [{ network: 'xrp', currency: 'xrp' }] });
    const [wallet] = await client.wallets.internal.list();
    expect(wallet?.addressMemo).toMatch(/^\d+$/);
    // The fields of the contract, and no others.
    expect(Object.keys(wallet ?? {}).sort()).toEqual([
      'address',
      'addressId',
      'addressMemo',
      'balance',
      'currency',
      'id',
      'type',
    ]);
  });

  it('are not found under an unknown address', async () => {
    const { client } = await withWallet('50');
    const { wallets } = client;
    const calls = [
      wallets.internal.linkToCard({ addressId: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e' }),
      wallets.internal.withdraw({
        amount: '1',
        currency: 'usdc',
        recipientAddress: RECIPIENT,
        sourceAddress: `0x${'1'.repeat(40)}`,
        checkRecipient: false,
      }),
    ];
    for (const call of calls) expect(await codeOf(call)).toBe('validation_failed');
  });

  it('are forbidden on a platform that is not custodial', async () => {
    const { mock, client } = setUp();
    mock.state.isCustodial = false;
    expect(await codeOf(client.wallets.internal.list())).toBe('custodial_platform_required');
  });
});

describe('the credit wallet on the mock platform', () => {
  const external = {
    address: RECIPIENT,
    currency: 'usdc',
    balance: '0',
    allowance: '1',
    network: 'linea',
  };

  it('withdraws to the external wallet when the balance covers the fee too', async () => {
    const { client } = setUp({ externalWallets: [external] });
    expect(await codeOf(client.wallets.credit.withdraw({ amount: '99.95' }))).toBe(
      'insufficient_balance',
    );
    const { txHash } = await client.wallets.credit.withdraw({ amount: '99.9' });
    expect(txHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect((await client.wallets.credit.get()).balance).toBe('0.1');
    expect((await client.wallets.credit.estimateWithdrawal()).usdc).toBe('0.1');
  });

  it('keeps the fee, and pays the rest of a withdrawal into the own wallet of the user', async () => {
    const { ada, client } = setUp({
      externalWallets: [
        { network: 'ethereum', balance: '1' },
        { network: 'linea', currency: 'usdt', balance: '1' },
        { network: 'linea', currency: 'USDC', balance: '1' },
      ],
    });
    await client.wallets.credit.withdraw({ amount: '5' });
    expect(ada.creditWallet.balance).toBe('95');
    expect(ada.externalWallets.map(({ balance }) => balance)).toEqual(['1', '1', '5.9']);
    // Nothing is left of less than the fee.
    await client.wallets.credit.withdraw({ amount: '0.05' });
    expect(ada.creditWallet.balance).toBe('94.95');
    expect(ada.externalWallets.map(({ balance }) => balance)).toEqual(['1', '1', '5.9']);
  });

  it('rejects a withdrawal without an external wallet, or when withdrawals are not allowed', async () => {
    const { mock, ada, client } = setUp();
    const withdraw = () => codeOf(client.wallets.credit.withdraw({ amount: '1' }));
    expect(await withdraw()).toBe('no_external_wallet');
    mock.users.get(ada.id).creditWallet.isWithdrawable = false;
    expect(await withdraw()).toBe('withdrawals_not_allowed');
  });
});

it('the wallet history of the mock platform has pages of ten', async () => {
  const { mock, ada, client } = setUp();
  const one = {
    name: 't',
    amount: '1',
    currency: 'usdc',
    sign: 'credit',
    date: '2026-01-01',
  } as const;
  const { id } = ada.creditWallet;
  mock.addTransactions(ada, id, Array(25).fill(one));
  const lengths: number[] = [];
  for (const page of [0, 1, 2, 3]) {
    lengths.push(
      (await client.wallets.history.list({ walletId: id, walletType: 'CREDIT', page })).length,
    );
  }
  expect(lengths).toEqual([10, 10, 5, 0]);
});

it('the wallet history of the mock platform has the newest first, over all pages', async () => {
  const { mock, ada, client } = setUp();
  const { id } = ada.creditWallet;
  for (let amount = 1; amount <= 12; amount++) {
    mock.wallets.deposit(ada, id, String(amount));
    mock.advance('1 minute');
  }
  const read = (page: number) =>
    client.wallets.history.list({ walletId: id, walletType: 'CREDIT', page });
  const rows = [...(await read(0)), ...(await read(1))];
  expect(rows.map(({ amount }) => Number(amount))).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  const times = rows.map(({ date }) => Date.parse(date));
  expect(times).toEqual([...times].sort((one, other) => other - one));
});

it.each([
  ['linea', 'ok'],
  ['ethereum', 'ok'],
  ['solana', 'no_external_wallet'],
])('a withdrawal on linea, to a user whose only wallet is of %s: %s', async (network, code) => {
  const { client } = setUp({ externalWallets: [{ network }] });
  expect(await codeOf(client.wallets.credit.withdraw({ amount: '5' }))).toBe(code);
});
