import { describe, expect, it } from 'vitest';
import { refusedIssues, sentRequest } from './refusals.js';

const OPERATION = 'wallets.internal.withdraw';
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const OTHER_EVM = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const WRONG_CHECKSUM = '0x8617E340B3D01FA5F11F306F4090FD50E238070d';
const SOLANA = 'So11111111111111111111111111111111111111112';
const OTHER_SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
const ALGORAND = '2UEQTE5QDNXPI7M3TU44G6SYKLFWLPQO7EBZM7K7MHMQQMFI4QJPLHQFHM';
const OTHER_ALGORAND = 'Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNPL226CA';
const STELLAR = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const OTHER_STELLAR = 'GCEZWKCA5VLDNRLN3RPRJMRZOX3Z6G5CHCGSNFHEYVXM3XOJMDS674JZ';
const ZERO_ALGORAND = `${'A'.repeat(52)}Y5HFKQ`;
const ZERO_EVM = `0x${'0'.repeat(40)}`;
const ZERO_SOLANA = '1'.repeat(32);

const withdrawal = (fields: Record<string, unknown>) => ({
  amount: '1',
  currency: 'usdc',
  sourceAddress: EVM,
  recipientAddress: OTHER_EVM,
  recipientMemo: null,
  ...fields,
});
const to = (currency: string, sourceAddress: string, recipientAddress: string) =>
  withdrawal({ currency, sourceAddress, recipientAddress });

/** Values that no recipient may be on any network. */
const NEVER = [
  ` ${OTHER_EVM}`,
  `${OTHER_EVM} `,
  `${OTHER_EVM}\n`,
  `${OTHER_EVM}\u001b[2K`,
  `\u202e${OTHER_EVM}`,
  `${OTHER_EVM}\u200b`,
  'а'.repeat(34),
  '',
  ' ',
  'r'.repeat(201),
];

describe('the recipient of an internal withdrawal', () => {
  it.each([
    ['usdc', EVM, OTHER_EVM],
    ['usdc', EVM, OTHER_EVM.toLowerCase()],
    ['usdc', EVM, `0x${OTHER_EVM.slice(2).toUpperCase()}`],
    ['usdt', OTHER_SOLANA, SOLANA],
    ['usdc', 'an-address-of-another-form', SOLANA],
    ['usdc', 'an-address-of-another-form', EVM],
    ['usdc', ALGORAND, OTHER_ALGORAND],
    ['usdt', ALGORAND, 'a-name.of-4-network'],
    ['usdc', STELLAR, OTHER_STELLAR],
    ['sol', OTHER_SOLANA, SOLANA],
    ['sol', EVM, SOLANA],
    ['xrp', XRP, 'rOther'],
    ['eurc', EVM, OTHER_EVM],
    ['btc', 'bc1source', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ['constructor', EVM, OTHER_EVM],
  ])('of %s from %s may be %s', async (currency, source, recipient) => {
    const { body } = await sentRequest(OPERATION, to(currency, source, recipient));
    expect(body).toMatchObject({ recipientAddrss: recipient });
    expect(body).not.toHaveProperty('checkRecipient');
  });

  it.each([
    ['usdc', EVM, WRONG_CHECKSUM],
    ['usdc', EVM, OTHER_EVM.slice(0, -1)],
    ['usdc', EVM, OTHER_EVM.slice(2)],
    ['usdc', EVM, OTHER_EVM.replace('0x', '0X')],
    ['usdc', EVM, 'vitalik.eth'],
    ['usdc', EVM, SOLANA],
    ['usdt', EVM, XRP],
    ['usdc', SOLANA, EVM],
    ['usdt', SOLANA, SOLANA.slice(1)],
    ['usdc', 'an-address-of-another-form', WRONG_CHECKSUM],
    ['sol', SOLANA, EVM],
    ['sol', SOLANA, OTHER_SOLANA.replace('9', '0')],
    ['sol', SOLANA, 'z'.repeat(44)],
    ['eurc', EVM, WRONG_CHECKSUM],
    ['xrp', XRP, WRONG_CHECKSUM],
    ['usdc', EVM, ZERO_EVM],
    ['usdc', SOLANA, ZERO_SOLANA],
    ['usdc', 'an-address-of-another-form', ZERO_EVM],
    ['usdc', 'an-address-of-another-form', ZERO_SOLANA],
    ['sol', SOLANA, ZERO_SOLANA],
    ['eurc', EVM, ZERO_EVM],
    ['xrp', XRP, ZERO_EVM],
    ['eurc', EVM, ZERO_SOLANA],
    ['usdc', EVM, ALGORAND],
    ['usdc', SOLANA, STELLAR],
    ['usdc', ALGORAND, WRONG_CHECKSUM],
    ['usdc', ALGORAND, ZERO_ALGORAND],
    ['xrp', XRP, 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'],
  ])('of %s from %s must not be %s', async (currency, source, recipient) => {
    const issues = await refusedIssues(OPERATION, to(currency, source, recipient));
    expect(issues).toEqual([{ path: 'recipientAddress', message: expect.any(String) }]);
    expect(issues[0]?.message).not.toContain(recipient);
  });

  it.each([
    'usdc',
    'usdt',
    'sol',
    'xrp',
    'eurc',
  ])('of %s has no blanks or control characters', async (currency) => {
    for (const recipientAddress of NEVER) {
      for (const checkRecipient of [undefined, true, false]) {
        const input = withdrawal({ currency, recipientAddress, checkRecipient });
        expect(await refusedIssues(OPERATION, input)).toMatchObject([{ path: 'recipientAddress' }]);
      }
    }
  });

  it.each([
    WRONG_CHECKSUM,
    XRP,
    SOLANA,
    ZERO_EVM,
  ])('may be %s when its check is switched off', async (recipientAddress) => {
    const input = withdrawal({ recipientAddress, checkRecipient: false });
    const { body } = await sentRequest(OPERATION, input);
    expect(body).toEqual({
      amount: '1',
      currency: 'usdc',
      sourceAddress: EVM,
      recipientAddrss: recipientAddress,
    });
  });

  it.each([
    null,
    'false',
    0,
  ])('is checked in full when checkRecipient is %s', async (checkRecipient) => {
    expect(await refusedIssues(OPERATION, withdrawal({ checkRecipient }))).toMatchObject([
      { path: 'checkRecipient' },
    ]);
  });
});

describe('a withdrawal to its own source', () => {
  it.each([
    ['usdc', EVM, EVM, undefined, undefined],
    ['usdc', EVM, EVM.toLowerCase(), undefined, undefined],
    ['usdc', SOLANA, SOLANA, undefined, undefined],
    ['eurc', EVM.toLowerCase(), EVM, undefined, undefined],
    ['xrp', XRP, XRP, null, null],
    ['xrp', XRP, XRP, '7', '7'],
    ['xrp', XRP, XRP, '7', null],
  ])('is refused: %s from %s to %s with memos %s and %s', async (currency, source, recipient, sourceMemo, recipientMemo) => {
    const input = { ...to(currency, source, recipient), sourceMemo, recipientMemo };
    for (const checkRecipient of [true, false]) {
      expect(await refusedIssues(OPERATION, { ...input, checkRecipient })).toEqual([
        { path: 'recipientAddress', message: 'must not be the source address' },
      ]);
    }
  });

  it.each([
    ['8', '7'],
    ['8', null],
    ['8', undefined],
  ])('is sent to the memo %s of a wallet with the memo %s', async (recipientMemo, sourceMemo) => {
    const input = { ...to('xrp', XRP, XRP), sourceMemo, recipientMemo };
    const { body } = await sentRequest(OPERATION, input);
    expect(body).toMatchObject({ recipientMemo });
  });

  it('compares the case of addresses that are not EVM addresses', async () => {
    await sentRequest(OPERATION, to('xrp', XRP, XRP.toLowerCase()));
  });
});

describe('a memo', () => {
  const fields = ['recipientMemo', 'sourceMemo'];
  const refused = [
    '',
    ' ',
    '\u3164',
    '\u00a0 ',
    'a\nb',
    'a\0',
    '7\u200b',
    '\u202e7',
    '7'.repeat(257),
    7,
  ];

  it.each(fields)('must have visible characters in %s and no hidden ones', async (field) => {
    for (const memo of refused) {
      const input = withdrawal({ currency: 'xrp', recipientMemo: '1', [field]: memo });
      expect(await refusedIssues(OPERATION, input)).toMatchObject([{ path: field }]);
    }
  });

  it.each(fields)('is sent unchanged in %s', async (field) => {
    for (const memo of ['7', '0', 'two words', 'é漢😀', '7'.repeat(256)]) {
      const input = withdrawal({ currency: 'xrp', recipientMemo: '1', [field]: memo });
      expect((await sentRequest(OPERATION, input)).body).toMatchObject({ [field]: memo });
    }
  });
});

describe('a missing memo', () => {
  const without = (fields: Record<string, unknown>) =>
    withdrawal({ recipientMemo: undefined, ...fields });

  it.each([
    [{ currency: 'xrp', sourceAddress: XRP, recipientAddress: 'rOther' }],
    [{ currency: 'xrp', sourceAddress: 'an-address-of-another-form', recipientAddress: 'rOther' }],
    [{ currency: 'xlm', sourceAddress: 'x', recipientAddress: OTHER_STELLAR }],
    [{ currency: 'usdc', sourceAddress: STELLAR, recipientAddress: OTHER_STELLAR }],
    [{ currency: 'rlusd', sourceAddress: XRP, recipientAddress: 'rOther' }],
    [{ sourceMemo: '7' }],
  ])('is refused: %j', async (fields) => {
    for (const checkRecipient of [true, false]) {
      const issues = await refusedIssues(OPERATION, without({ ...fields, checkRecipient }));
      expect(issues).toMatchObject([{ path: 'recipientMemo' }]);
      for (const recipientMemo of [null, '1']) {
        await sentRequest(OPERATION, { ...without(fields), recipientMemo });
      }
    }
  });

  it.each([
    [{}],
    [{ sourceMemo: null }],
    [{ currency: 'usdc', sourceAddress: ALGORAND, recipientAddress: OTHER_ALGORAND }],
    [{ sourceAddress: `G${ALGORAND.slice(1)}`, recipientAddress: OTHER_ALGORAND }],
    [{ currency: 'sol', sourceAddress: SOLANA, recipientAddress: OTHER_SOLANA }],
  ])('is nothing on networks without memos: %j', async (fields) => {
    await sentRequest(OPERATION, without(fields));
  });
});

describe('the amount of a withdrawal', () => {
  const CREDIT = 'wallets.credit.withdraw';
  const CASES: [string, (amount: string) => Record<string, unknown>][] = [
    [CREDIT, (amount) => ({ amount })],
    [OPERATION, (amount) => withdrawal({ amount })],
    [OPERATION, (amount) => withdrawal({ amount, currency: 'usdt' })],
  ];

  it.each(CASES)('of %s has at most the decimals of its currency', async (operation, inputOf) => {
    for (const amount of ['1.0000001', '0.1234567', '1.0000000', `1.${'0'.repeat(98)}`]) {
      expect(await refusedIssues(operation, inputOf(amount))).toEqual([
        { path: 'amount', message: expect.stringMatching(/^must have at most 6 decimals/) },
      ]);
    }
    for (const amount of ['1', '1.5', '0.000001', '00012.500000', '9'.repeat(100)]) {
      expect((await sentRequest(operation, inputOf(amount))).body).toMatchObject({ amount });
    }
  });

  it('is sent in full for a currency whose decimals are not known', async () => {
    for (const currency of ['xrp', 'eurc', 'toString', 'constructor'].map((c) => c.toLowerCase())) {
      const amount = '0.123456789012345678';
      const input = withdrawal({ currency, amount });
      expect((await sentRequest(OPERATION, input)).body).toMatchObject({ amount });
    }
  });
});
