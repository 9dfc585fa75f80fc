import { describe, expect, it } from 'vitest';
import { isUserRejection } from '../../src/delegation/wallet-refusals.js';
import { requestSignature } from '../../src/evm/wallets/wallet-requests.js';
import { callWallet } from '../../src/solana/wallets/call-wallet.js';
import { rejection } from '../support/clients.js';
import { onPlatform, PLATFORMS } from './platforms.js';

const WEBHOOK = { name: 'n', url: 'https://hooks.example.com', eventTypes: ['*'] };

describe.each(PLATFORMS)('the platform %s', (way) => {
  it('refuses a sixth webhook with the text of the service and a code of its own', () =>
    onPlatform(way, {}, async ({ client }) => {
      for (let count = 0; count < 5; count++) await client.webhooks.create(WEBHOOK);
      expect(await rejection(client.webhooks.create(WEBHOOK))).toMatchObject({
        status: 400,
        code: 'webhook_limit_reached',
        serverMessage: 'Maximum webhook limit (5) reached for this tenant',
      });
    }));

  it.each(['VERIFIED', 'REJECTED'] as const)('completes a verification at once: %s', (result) =>
    onPlatform(
      way,
      { user: { verificationState: 'UNVERIFIED' } },
      async ({ mock, ada, client }) => {
        mock.completeVerification(ada, result);
        expect((await client.user.get()).verificationState).toBe(result);
      },
    ));

  it('creates an internal wallet once, however often it is asked for', () =>
    onPlatform(way, {}, async ({ client }) => {
      const pair = { network: 'linea', currency: 'usdc' };
      const other = { network: 'ethereum', currency: 'usdc' };
      await client.wallets.internal.create({ wallets: [pair, pair] });
      const [first] = await client.wallets.internal.list();
      const again = await client.wallets.internal.create({ wallets: [other, pair] });
      expect(again.success).toBe(true);
      const wallets = await client.wallets.internal.list();
      expect(wallets).toHaveLength(2);
      expect(wallets[0]).toEqual(first);
    }));

  it('takes a currency for a credit wallet, as the contract only requires it for internal ones', () =>
    onPlatform(way, {}, async ({ mock, ada, client }) => {
      const walletId = ada.creditWallet.id;
      mock.wallets.deposit(ada, walletId, '3');
      const input = { walletId, walletType: 'CREDIT', walletCurrency: 'usdc' } as const;
      expect(await client.wallets.history.list(input)).toHaveLength(1);
      const missing = client.wallets.history.list({ walletId, walletType: 'INTERNAL' } as never);
      expect(await rejection(missing)).toMatchObject({ code: 'request_invalid' });
    }));

  it.each([
    '-1',
    '1.5',
    'x',
    '',
    '1e1',
    '99999999999999999999',
  ])('reads the invalid page "%s" as the first one', (page) =>
    onPlatform(way, {}, async ({ mock, ada, client, send }) => {
      const { id } = ada.creditWallet;
      for (let count = 0; count < 12; count++) mock.wallets.deposit(ada, id, '1');
      const path = `/v1/wallet/history?walletId=${id}&walletType=CREDIT`;
      const first = await (await send('GET', path)).json();
      expect(first).toHaveLength(10);
      const response = await send('GET', `${path}&page=${page}`);
      expect([response.status, await response.json()]).toEqual([200, first]);
      expect(await (await send('GET', `${path}&page=1`)).json()).toHaveLength(2);
      // The client refuses what cannot be meant.
      const input = { walletId: id, walletType: 'CREDIT', page: Number(page || '-2') } as const;
      if (!Number.isSafeInteger(input.page) || input.page < 0) {
        expect(await rejection(client.wallets.history.list(input))).toMatchObject({
          issues: [{ path: 'page' }],
        });
      }
    }));

  it('takes any text as a colour of the PIN page, of which the client refuses all but hex', () =>
    onPlatform(way, { user: { card: 'ACTIVE' } }, async ({ client, send }) => {
      const customCss = { backgroundColor: 'rebeccapurple', pinBorderColor: '</style><script>' };
      const response = await send('POST', '/v1/card/set-pin/token', { customCss });
      expect(response.status).toBe(200);
      const error = await rejection(client.card.createSetPinToken({ customCss }));
      expect(error).toMatchObject({
        code: 'request_invalid',
        issues: [{ path: 'customCss.backgroundColor' }, { path: 'customCss.pinBorderColor' }],
      });
      const number = await send('POST', '/v1/card/set-pin/token', { customCss: { textColor: 1 } });
      expect(number.status).toBe(422);
    }));

  it.each([
    ['https://bücher.example/hook?x=ä', true],
    ['https://例え.テスト', true],
    ['https://пример.рф:8443/', true],
    ['http://bücher.example', false],
    ['https://böse.example\uff0f.good.example', false],
    ['https://ü\uff20good.example', false],
    ['https://ü@good.example', false],
    ['https://ü .example', false],
    ['https://ü.\uff11\uff12', false],
    ['https://ü..example', false],
  ])('takes %s as an https URL: %s', (url, isTaken) =>
    onPlatform(way, {}, async ({ client }) => {
      const call = client.webhooks.create({ ...WEBHOOK, url });
      if (isTaken) expect((await call).data?.url).toBe(url);
      else expect(await rejection(call)).toMatchObject({ issues: [{ path: 'url' }] });
    }));
});

describe('an error of a wallet whose fields throw', () => {
  const hostile = (name: string) =>
    Object.defineProperty({ message: 'User rejected the request' }, name, {
      get: () => {
        throw new Error('a getter threw');
      },
    });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const errors = [
    ...['name', 'code', 'message', 'action', 'receipt', 'data', 'cause', 'error', 'info'].map(
      hostile,
    ),
    ...['context', 'originalError', 'transactionMessage', 'transactionLogs', 'logs'].map(hostile),
    proxy,
    { cause: proxy, logs: proxy },
    { info: hostile('error') },
  ];

  it.each(
    errors.map((error, index) => [index, error] as const),
  )('never escapes: %i', async (_, error) => {
    expect(() => isUserRejection(error)).not.toThrow();
    const failing = async () => Promise.reject(error);
    const wallet = { address: '0x', signMessage: failing, sendTransaction: failing } as never;
    const expected = { code: expect.stringMatching(/^(wallet_failed|user_rejected)$/) };
    expect(await rejection(requestSignature(wallet, 'text'))).toMatchObject(expected);
    expect(await rejection(callWallet('sign', 'not_sent', failing))).toMatchObject(expected);
  });
});
