import { describe, expect, it } from 'vitest';
import * as endpoints from '../../src/endpoints/index.js';
import * as evm from '../../src/evm/index.js';
import * as root from '../../src/index.js';
import * as solana from '../../src/solana/index.js';
import { errorOf } from './not-numbers.js';

type Helper = (...values: unknown[]) => unknown;

const NOT_TEXTS = [
  null,
  undefined,
  5,
  10n,
  true,
  {},
  [],
  ['1'],
  Symbol('1'),
  () => '1',
  new Date(0),
];
const JUNK = [...NOT_TEXTS, '', 'a\0', Number.NaN];

const { isDecimal, isPositiveDecimal, isEvmAddress, isSolanaAddress, isSolanaSignature } = root;
const PREDICATES = {
  isDecimal,
  isPositiveDecimal,
  isEvmAddress,
  isSolanaAddress,
  isSolanaSignature,
};

/** Functions that take an unknown value by their type, and never throw. */
const TAKE_ANYTHING = [
  ...Object.keys(PREDICATES),
  'outcomeOf',
  'nextStepOf',
  'say',
  'next',
  'isApiError',
  'isCardPlatformError',
  'isChainError',
  'delegationStateOf',
  'checkSiweMessage',
  'solanaTokensFromChainConfig',
];

const HELPERS = Object.entries({ root, evm, solana, endpoints }).flatMap(([entry, module]) =>
  Object.entries(module)
    .filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))
    .filter(([name]) => !TAKE_ANYTHING.includes(name))
    .map(([name, value]) => ({ entry, name, helper: value as unknown as Helper })),
);

describe('a public function that is given a value of the wrong kind', () => {
  it('is found in its entry', () => expect(HELPERS.length).toBeGreaterThan(18));

  it.each(HELPERS)('$name of $entry throws an error of this package', async ({ name, helper }) => {
    for (const value of [null, undefined, 5, {}, [], Symbol('a'), true]) {
      const error = await errorOf(() => helper(value, value, value));
      expect(root.isCardPlatformError(error), `${name} ${String(error)}`).toBe(true);
    }
  });

  it.each(TAKE_ANYTHING)('%s never throws', (name) => {
    const helper = ({ ...solana, ...evm, ...root } as unknown as Record<string, Helper>)[name];
    for (const value of JUNK) expect(() => helper?.(value)).not.toThrow();
  });
});

describe('a predicate', () => {
  it.each(Object.entries(PREDICATES))('%s is false for anything but a text', (_, isValid) => {
    const cases = [...NOT_TEXTS, ['0x52908400098527886E0F7030069857D2E4169EE7'], new String('1')];
    for (const value of cases) expect(isValid(value)).toBe(false);
  });

  it.each(
    Object.entries(PREDICATES),
  )('%s is false at once for a million characters', (_, isValid) => {
    for (const character of ['1', '0', 'z', ' ', 'é']) {
      expect(isValid(character.repeat(1_000_000))).toBe(false);
    }
  });
});

describe('a conversion names the argument that is wrong', () => {
  const refusal = (path: string) =>
    expect.objectContaining({
      name: 'RequestValidationError',
      outcome: 'not_sent',
      issues: [{ path, message: expect.any(String) }],
    });
  const NOT_DECIMALS = [undefined, null, Number.NaN, -1, 1.5, 256, '6', 6n, {}, Symbol('6')];

  const CASES: [string, string, readonly unknown[], Helper][] = [
    ['decimalToBaseUnits', 'text', NOT_TEXTS, (text) => root.decimalToBaseUnits(text as string, 6)],
    [
      'decimalToBaseUnits',
      'decimals',
      NOT_DECIMALS,
      (n) => root.decimalToBaseUnits('1', n as number),
    ],
    [
      'baseUnitsToDecimal',
      'units',
      [null, undefined, 5, '5', -1n, (1n << 1200n) + 1n, 1n << 4_000_000n, Symbol('5'), Object(5n)],
      (units) => root.baseUnitsToDecimal(units as bigint, 6),
    ],
    [
      'baseUnitsToDecimal',
      'decimals',
      NOT_DECIMALS,
      (n) => root.baseUnitsToDecimal(1n, n as number),
    ],
    ['decodeBase58', 'text', NOT_TEXTS, (text) => root.decodeBase58(text as string)],
    [
      'encodeBase58',
      'bytes',
      [
        ...NOT_TEXTS,
        'abc',
        [1, 2],
        new Uint16Array(2),
        new ArrayBuffer(2),
        new DataView(new ArrayBuffer(2)),
        new Uint8Array(94),
        new Uint8Array(1_000_000),
        { length: 1, 0: 1 },
      ],
      (bytes) => root.encodeBase58(bytes as Uint8Array),
    ],
    [
      'toChecksumAddress',
      'address',
      [
        ...NOT_TEXTS,
        '',
        '0x52',
        `0x${'g'.repeat(40)}`,
        '0'.repeat(1_000_000),
        ['0x52908400098527886E0F7030069857D2E4169EE7'],
      ],
      (address) => root.toChecksumAddress(address as string),
    ],
    [
      'amountToBaseUnits',
      'amount',
      [...NOT_TEXTS, '1'.repeat(1_000_000)],
      (text) => evm.amountToBaseUnits(text as string, 6),
    ],
    ['amountToBaseUnits', 'decimals', NOT_DECIMALS, (n) => evm.amountToBaseUnits('1', n as number)],
    [
      'baseUnitsToAmount',
      'units',
      [null, undefined, 5, '5', -1n, -(2n ** 256n), 2n ** 256n, 1n << 4_000_000n, Symbol('5')],
      (units) => evm.baseUnitsToAmount(units as bigint, 6),
    ],
    ['baseUnitsToAmount', 'decimals', NOT_DECIMALS, (n) => evm.baseUnitsToAmount(1n, n as number)],
    [
      'buildSolanaApproval',
      'decimals',
      NOT_DECIMALS,
      (n) =>
        solana.buildSolanaApproval({
          owner: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
          spender: '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp',
          mint: solana.SOLANA_CURRENCIES.usdc.mint,
          amount: 1n,
          decimals: n as number,
        }),
    ],
  ];

  it.each(CASES)('%s: %s', (_, argument, values, convert) => {
    for (const value of values) expect(() => convert(value)).toThrow(refusal(argument));
  });

  it('and converts everything else', () => {
    expect(root.decimalToBaseUnits('1.5', 6)).toBe(1_500_000n);
    expect(root.decimalToBaseUnits('1.2345678', 6)).toBeUndefined();
    expect(root.decimalToBaseUnits('1'.repeat(1_000_000), 6)).toBeUndefined();
    expect(root.baseUnitsToDecimal(0n, 6)).toBe('0');
    expect(root.baseUnitsToDecimal(1n << 1200n, 255)).toMatch(/^\d+\.\d+$/);
    expect(root.decodeBase58('2g')).toEqual(Uint8Array.of(97));
    expect(root.decodeBase58('0OIl')).toBeUndefined();
    expect(root.decodeBase58('1'.repeat(1_000_000))).toBeUndefined();
    expect(root.encodeBase58(Buffer.from('a'))).toBe('2g');
    expect(root.encodeBase58(new Uint8Array(93))).toBe('1'.repeat(93));
    expect(evm.baseUnitsToAmount(2n ** 256n - 1n, 0)).toBe((2n ** 256n - 1n).toString());
    expect(root.toChecksumAddress('0x52908400098527886e0f7030069857d2e4169ee7')).toBe(
      '0x52908400098527886E0F7030069857D2E4169EE7',
    );
  });
});
