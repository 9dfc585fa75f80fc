import { createHash } from 'node:crypto';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Additions, CardPlatformClient } from '../../src/index.js';
import { createMockPlatform, type NewWallet } from '../../src/testing/index.js';
import { rejection } from '../support/clients.js';
import { onPlatform, PLATFORMS } from './platforms.js';

// Real addresses of issuers and exchanges.
const ALGORAND = '2UEQTE5QDNXPI7M3TU44G6SYKLFWLPQO7EBZM7K7MHMQQMFI4QJPLHQFHM';
const OTHER_ALGORAND = 'Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNPL226CA';
const STELLAR = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const OTHER_STELLAR = 'GCEZWKCA5VLDNRLN3RPRJMRZOX3Z6G5CHCGSNFHEYVXM3XOJMDS674JZ';
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
const OTHER_XRP = 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh';

const isAlgorand = (text: string) => {
  if (!/^[A-Z2-7]{58}$/.test(text)) throw new Error('not an Algorand address');
  return true;
};
const FORMATS: Additions = {
  addressFormats: {
    algorand: { isAddress: isAlgorand, hasMemos: false },
    hedera: { isAddress: (text) => /^0\.0\.\d{1,9}$/.test(text), hasMemos: true },
  },
};

const holding = (wallet: NewWallet) => ({ wallets: [{ balance: '50', ...wallet }] });

describe.each(PLATFORMS)('a withdrawal %s', (way) => {
  it.each([
    ['algorand', 'usdc', ALGORAND, OTHER_ALGORAND],
    ['stellar', 'usdc', STELLAR, OTHER_STELLAR],
    ['hedera', 'usdc', '0.0.4711', '0.0.12'],
    ['polygon', 'usdt', EVM.toLowerCase(), '0x8617E340B3D01FA5F11F306F4090FD50E238070D'],
  ])('on %s of %s pays another address of the network', (network, currency, address, recipientAddress) =>
    onPlatform(way, { user: holding({ network, currency, address }) }, async (reached) => {
      const { ada, client } = reached;
      const result = await client.wallets.internal.withdraw({
        ...{ amount: '20', currency, sourceAddress: address, recipientAddress },
        recipientMemo: network === 'stellar' ? '77' : null,
      });
      expect(result.success).toBe(true);
      expect(ada.internalWallets[0]?.balance ?? '').toBe('30');
    }));

  it.each([
    ['algorand', ALGORAND, ALGORAND],
    ['algorand', ALGORAND, `${OTHER_ALGORAND} `],
    ['algorand', ALGORAND, ''],
    ['stellar', STELLAR, 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF'],
    ['polygon', EVM.toLowerCase(), OTHER_ALGORAND],
    ['polygon', EVM.toLowerCase(), SOLANA],
  ])('on %s from %s is not sent to "%s"', (network, address, recipientAddress) =>
    onPlatform(way, { user: holding({ network, address }) }, async ({ client, mock }) => {
      const input = {
        ...{ amount: '1', currency: 'usdc', sourceAddress: address, recipientAddress },
        recipientMemo: null,
      };
      const error = await rejection(client.wallets.internal.withdraw(input));
      expect(error).toMatchObject({ outcome: 'not_sent', issues: [{ path: 'recipientAddress' }] });
      expect(mock.requests.last).toBeUndefined();
    }));

  it('goes to addresses of a format that the caller added, and to no others', () =>
    onPlatform(
      way,
      {
        user: holding({ network: 'algorand', address: ALGORAND }),
        platform: { additions: FORMATS },
        client: { additions: FORMATS },
      },
      async ({ client, send }) => {
        const input = { amount: '1', currency: 'usdc', sourceAddress: ALGORAND };
        const to = (recipientAddress: string) =>
          client.wallets.internal.withdraw({ ...input, recipientAddress });
        await to(OTHER_ALGORAND);
        for (const wrong of [STELLAR, EVM, SOLANA, OTHER_ALGORAND.slice(1)]) {
          expect(await rejection(to(wrong))).toMatchObject({
            issues: [{ path: 'recipientAddress', message: expect.stringContaining('algorand') }],
          });
          const body = { ...input, recipientAddrss: wrong };
          const response = await send('POST', '/v1/wallet/internal/withdraw', body);
          expect([response.status, await response.json()]).toEqual([
            400,
            { message: 'Invalid recipient address format' },
          ]);
        }
      },
    ));

  it.each([
    ['xrp', 'xrp', XRP, OTHER_XRP],
    ['xrp', 'rlusd', XRP, OTHER_XRP],
    ['stellar', 'xlm', STELLAR, OTHER_STELLAR],
    ['stellar', 'usdc', STELLAR, OTHER_STELLAR],
    ['hedera', 'usdc', '0.0.4711', '0.0.12'],
  ])('on %s of %s needs a memo', (network, currency, address, recipientAddress) =>
    onPlatform(
      way,
      {
        user: holding({ network, currency, address, addressMemo: null }),
        platform: { additions: FORMATS },
        client: { additions: FORMATS },
      },
      async ({ client, send, mock }) => {
        const input = { amount: '1', currency, sourceAddress: address, recipientAddress };
        expect(await rejection(client.wallets.internal.withdraw(input))).toMatchObject({
          outcome: 'not_sent',
          issues: [{ path: 'recipientMemo' }],
        });
        const wire = { amount: '1', currency, sourceAddress: address };
        const body = { ...wire, recipientAddrss: recipientAddress };
        for (const none of [{}, { recipientMemo: null }]) {
          const refused = await send('POST', '/v1/wallet/internal/withdraw', { ...body, ...none });
          expect(refused.status).toBe(422);
          expect(await refused.json()).toMatchObject({ errors: [{ field: 'recipientMemo' }] });
        }
        await client.wallets.internal.withdraw({ ...input, recipientMemo: '9' });
        mock.state.choices.missingMemo = 'accepted';
        await client.wallets.internal.withdraw({ ...input, recipientMemo: null });
        expect(mock.requests.last?.body).not.toHaveProperty('recipientMemo');
      },
    ));

  it('from a wallet with a memo needs one, on any network', () =>
    onPlatform(
      way,
      {
        user: holding({ network: 'toncoin', currency: 'usdt', address: 'UQa1', addressMemo: '5' }),
      },
      async ({ client, send }) => {
        const input = {
          amount: '1',
          currency: 'usdt',
          sourceAddress: 'UQa1',
          recipientAddress: 'UQb2',
        };
        const error = await rejection(
          client.wallets.internal.withdraw({ ...input, sourceMemo: '5' }),
        );
        expect(error).toMatchObject({ issues: [{ path: 'recipientMemo' }] });
        const wire = {
          amount: '1',
          currency: 'usdt',
          sourceAddress: 'UQa1',
          recipientAddrss: 'UQb2',
        };
        expect((await send('POST', '/v1/wallet/internal/withdraw', wire)).status).toBe(422);
        const body = { ...wire, sourceMemo: '5', recipientMemo: '6' };
        expect((await send('POST', '/v1/wallet/internal/withdraw', body)).status).toBe(200);
      },
    ));

  it('creates wallets on the networks that were added', () =>
    onPlatform(
      way,
      { platform: { additions: { ...FORMATS, delegationCurrencies: ['eurc'] } } },
      async ({ client }) => {
        await client.wallets.internal.create({
          wallets: [
            { network: 'algorand', currency: 'usdc' },
            { network: 'linea', currency: 'eurc' },
          ],
        });
        const [algorand, linea] = await client.wallets.internal.list();
        expect(isAlgorand(algorand?.address ?? '')).toBe(true);
        expect(linea?.address).toMatch(/^0x[0-9a-f]{40}$/);
        const unknown = client.wallets.internal.create({
          wallets: [{ network: 'near', currency: 'usdc' }],
        });
        expect(await rejection(unknown)).toMatchObject({ code: 'invalid_network_or_currency' });
      },
    ));
});

describe('an address that the mock platform makes', () => {
  const bytesOf = (text: string) => {
    const values = [...text].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter));
    const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
    return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  };
  const made = (network: string) =>
    createMockPlatform({ additions: [network] }).users.add({ wallets: [{ network }] })
      .internalWallets[0];

  it('on Algorand ends with the checksum of its key', () => {
    const bytes = bytesOf(made('algorand')?.address ?? '');
    const digest = createHash('sha512-256')
      .update(Uint8Array.from(bytes.slice(0, 32)))
      .digest();
    expect(bytes.slice(32)).toEqual([...digest.subarray(-4)]);
  });

  it('on Stellar has the checksum of its account, as that of an issuer has', () => {
    const isValid = (address: string) => {
      const bytes = bytesOf(address);
      const crc = bytes.slice(0, -2).reduce((sum, byte) => {
        let value = sum ^ (byte << 8);
        for (let bit = 0; bit < 8; bit++)
          value = value & 0x8000 ? (value << 1) ^ 0x1021 : value << 1;
        return value & 0xffff;
      }, 0);
      return bytes.length === 35 && crc === ((bytes[34] ?? 0) << 8) + (bytes[33] ?? 0);
    };
    expect([isValid(STELLAR), isValid(OTHER_STELLAR)]).toEqual([true, true]);
    expect(isValid(made('stellar')?.address ?? '')).toBe(true);
    expect(made('stellar')?.addressMemo).toMatch(/^\d+$/);
  });

  it('is refused when no format of ours is one of the network', () => {
    const mock = createMockPlatform({ additions: FORMATS });
    const add = () => mock.users.add({ wallets: [{ network: 'hedera' }] });
    expect(add).toThrow('pass an address');
  });
});

describe('additions.addressFormats', () => {
  const format = { isAddress: () => true, hasMemos: false };
  const invalid: [option: string, formats: unknown, message: string][] = [
    ['additions.addressFormats', 5, 'must be an object'],
    ['additions.addressFormats', [], 'must be an object'],
    ['additions.addressFormats.near', { near: 5 }, 'must'],
    ['additions.addressFormats.near.isAddress', { near: { hasMemos: true } }, 'a function'],
    [
      'additions.addressFormats.near.hasMemos',
      { near: { ...format, hasMemos: 1 } },
      'true or false',
    ],
    ['additions.addressFormats.near.hasMemo', { near: { ...format, hasMemo: true } }, 'hasMemos'],
    ['additions.addressFormats', { 'a b': format }, 'names of networks'],
  ];

  it.each(invalid)('that is wrong at %s is refused: %j', (option, addressFormats, message) => {
    const options = { baseUrl: 'https://api.example.com', additions: { addressFormats } as never };
    expect(() => new CardPlatformClient(options)).toThrow(
      expect.objectContaining({ option, message: expect.stringContaining(message) }),
    );
  });

  it.each(invalid.slice(0, 6))('is refused by the mock platform: %s', (_, addressFormats) => {
    const additions = { addressFormats } as never;
    expect(() => createMockPlatform({ additions })).toThrow(TypeError);
  });

  it.each([
    ['networks', { networks: ['x'] }, 'evmNetworks'],
    ['adressFormats', { adressFormats: {} }, 'addressFormats'],
  ])('has no other name: %s', (_, additions, meant) => {
    const given = additions as never;
    const options = { baseUrl: 'https://api.example.com', additions: given };
    expect(() => createMockPlatform({ additions: given })).toThrow(meant);
    if (meant === 'addressFormats')
      expect(() => new CardPlatformClient(options)).toThrow(`additions.${meant}`);
  });
});

it('a withdrawal of xrp or xlm does not compile without a memo', () => {
  const { wallets } = new CardPlatformClient({ baseUrl: 'https://api.example.com' });
  const { withdraw } = wallets.internal;
  const rest = { amount: '1', sourceAddress: XRP, recipientAddress: OTHER_XRP };
  const compiled = () => {
    // @ts-expect-error the memo is missing
    void withdraw({ ...rest, currency: 'xrp' });
    // @ts-expect-error the memo is missing
    void withdraw({ ...rest, currency: 'xlm', recipientMemo: undefined });
    void withdraw({ ...rest, currency: 'xrp', recipientMemo: null });
    void withdraw({ ...rest, currency: 'usdc' });
    const currency: string = 'xrp';
    void withdraw({ ...rest, currency });
  };
  expectTypeOf(compiled).toBeFunction();
});
