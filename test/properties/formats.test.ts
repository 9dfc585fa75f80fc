import { getBase58Decoder } from '@solana/kit';
import fc from 'fast-check';
import { getAddress, isAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  decodeBase58,
  encodeBase58,
  isSolanaAddress,
  isSolanaSignature,
} from '../../src/contract/formats/base58.js';
import {
  baseUnitsToDecimal,
  decimalToBaseUnits,
  isDecimal,
  isPositiveDecimal,
} from '../../src/contract/formats/decimal.js';
import { isEvmAddress, toChecksumAddress } from '../../src/contract/formats/evm-address.js';
import { isZeroAddress } from '../../src/contract/formats/evm-checksum.js';
import {
  isHttpsUrl,
  isLoopbackHost,
  isReturnUrl,
  isSecureUrl,
} from '../../src/contract/formats/url.js';
import { RUNS } from './runs.js';

// fast-check prints the seed and the smallest failing example.
fc.configureGlobal({ numRuns: RUNS });
const holds = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, (value) => void property(value)));

const decimals = fc.integer({ min: 0, max: 40 });
const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most });
const plainDecimal = fc.oneof(
  digits(1, 40),
  fc.tuple(digits(1, 40), digits(1, 40)).map(([whole, fraction]) => `${whole}.${fraction}`),
);
const evmHex = fc.string({
  unit: fc.constantFrom(...'0123456789abcdef'),
  minLength: 40,
  maxLength: 40,
});
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

describe('a decimal amount', () => {
  it('is the same after a conversion to base units and back', () => {
    const cases = fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), decimals, (units, scale) => {
      expect(decimalToBaseUnits(baseUnitsToDecimal(units, scale), scale)).toBe(units);
    });
    fc.assert(cases, { numRuns: 20 * RUNS });
  });

  it('keeps its value digit by digit', () => {
    holds(plainDecimal, (text) => {
      const units = decimalToBaseUnits(text, 40);
      const [whole = '', fraction = ''] = text.split('.');
      expect(units).toBe(BigInt(whole) * 10n ** 40n + BigInt(fraction.padEnd(40, '0')));
    });
  });

  it('with too many digits is rejected and never rounded', () => {
    holds(fc.tuple(plainDecimal, decimals), ([text, scale]) => {
      const [, fraction = ''] = text.split('.');
      const fits = fraction.replace(/0+$/, '').length <= scale;
      expect(decimalToBaseUnits(text, scale) !== undefined).toBe(fits);
    });
  });

  it('is rejected unless it is a plain decimal', () => {
    holds(fc.string(), (text) => {
      const plain =
        text.length <= 100 && /^[0-9]+(?:\.[0-9]+)?$/.test(text) && !text.includes('\n');
      expect(isDecimal(text)).toBe(plain);
      if (!plain) expect(decimalToBaseUnits(text, 6)).toBeUndefined();
    });
  });

  it('is positive exactly when its base units are', () => {
    holds(plainDecimal, (text) => {
      expect(isPositiveDecimal(text)).toBe((decimalToBaseUnits(text, 40) ?? 0n) > 0n);
    });
  });

  it.each([
    ['0', 6, 0n],
    ['1', 0, 1n],
    ['8.2', 6, 8_200_000n],
    ['1.2345678', 6, undefined],
    ['0.0000005', 6, undefined],
    ['1.500000', 1, 15n],
    ['00012.50', 2, 1250n],
    ['.5', 6, undefined],
    ['1.', 6, undefined],
    ['-1', 6, undefined],
    ['1e3', 6, undefined],
    ['0x10', 6, undefined],
    ['9'.repeat(101), 0, undefined],
  ])('%s with %i decimals is %s base units', (text, scale, expected) => {
    expect(decimalToBaseUnits(text, scale)).toBe(expected);
  });

  it('cannot be made of negative base units', () => {
    expect(() => baseUnitsToDecimal(-1n, 6)).toThrow(RangeError);
    expect(baseUnitsToDecimal(1n, 6)).toBe('0.000001');
    expect(baseUnitsToDecimal(1_500_000n, 6)).toBe('1.5');
    expect(baseUnitsToDecimal(15n, 0)).toBe('15');
  });
});

describe('base58', () => {
  it('encodes like the codec of @solana/kit and decodes to the same bytes', () => {
    const kit = getBase58Decoder();
    holds(fc.uint8Array({ maxLength: 80 }), (data) => {
      const text = encodeBase58(data);
      expect(text).toBe(kit.decode(data));
      expect(decodeBase58(text)).toEqual(data);
    });
  });

  it('encodes 32 bytes as a Solana address and 64 bytes as a signature', () => {
    holds(fc.uint8Array({ minLength: 28, maxLength: 70 }), (data) => {
      expect(isSolanaAddress(encodeBase58(data))).toBe(data.length === 32);
    });
    holds(bytes(64), (data) => {
      const text = encodeBase58(data);
      expect(isSolanaSignature(text)).toBe(text.length === 87 || text.length === 88);
    });
    // Characters alone do not show it: leading zeros take one each.
    const text = encodeBase58(new Uint8Array(65).fill(255, 3));
    expect([text.length, isSolanaSignature(text)]).toEqual([88, false]);
  });

  it('is not decoded beyond 128 characters', () => {
    expect(decodeBase58('1'.repeat(128))).toHaveLength(128);
    expect(decodeBase58('1'.repeat(129))).toBeUndefined();
  });

  it('is not encoded beyond the 93 bytes that always decode again', () => {
    const longest = new Uint8Array(93).fill(255);
    expect(decodeBase58(encodeBase58(longest))).toEqual(longest);
    expect(() => encodeBase58(new Uint8Array(94))).toThrow(RangeError);
  });

  it('is not decoded from a character outside the alphabet, wherever it is', () => {
    const foreign = fc.constantFrom('0', 'O', 'I', 'l', ' ', '\n', '\u0131', '\u0431', '\u{1f600}');
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    const text = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 40 });
    holds(fc.tuple(text, foreign, text), ([before, character, after]) => {
      expect(decodeBase58(before + character + after)).toBeUndefined();
    });
  });

  it('decodes any text without throwing', () => {
    holds(fc.string(), (text) => {
      expect(isSolanaAddress(text)).toBe(decodeBase58(text)?.length === 32);
    });
  });
});

describe('an EVM address', () => {
  it('has the same checksum as in viem', () => {
    holds(evmHex, (hex) => {
      expect(toChecksumAddress(`0x${hex}`)).toBe(getAddress(`0x${hex}`));
      expect(toChecksumAddress(`0x${hex.toUpperCase()}`)).toBe(getAddress(`0x${hex}`));
    });
    expect(() => toChecksumAddress('0x52')).toThrow(RangeError);
  });

  it('is valid in a single case, or in mixed case with a correct checksum', () => {
    holds(fc.tuple(evmHex, fc.infiniteStream(fc.boolean())), ([hex, coins]) => {
      const mixed = [...hex]
        .map((digit) => (coins.next().value ? digit.toUpperCase() : digit))
        .join('');
      const isOneCase = mixed === hex || mixed === hex.toUpperCase();
      expect(isEvmAddress(`0x${mixed}`)).toBe(
        isOneCase || isAddress(`0x${mixed}`, { strict: true }),
      );
      expect(isEvmAddress(`0x${hex}`)).toBe(true);
      expect(isEvmAddress(getAddress(`0x${hex}`))).toBe(true);
    });
  });

  it('cannot be any other text', () => {
    holds(fc.string(), (text) => expect(isEvmAddress(text)).toBe(false));
    expect(isZeroAddress(`0x${'0'.repeat(40)}`)).toBe(true);
    expect(isZeroAddress(`0x${'0'.repeat(39)}1`)).toBe(false);
  });
});

describe('a URL', () => {
  it('that is accepted as https has no other scheme for a browser', () => {
    holds(
      fc.oneof(
        fc.webUrl(),
        fc.string(),
        fc.string().map((text) => `https://${text}`),
      ),
      (text) => {
        for (const isTaken of [isHttpsUrl, isSecureUrl]) {
          if (isTaken(text)) expect(['https:', 'http:']).toContain(new URL(text).protocol);
        }
        if (isHttpsUrl(text)) expect(new URL(text).protocol).toBe('https:');
      },
    );
  });

  it('that is a return URL never runs code', () => {
    const scheme = fc.mixedCase(fc.constantFrom('javascript', 'data', 'vbscript', 'file', 'blob'));
    holds(fc.tuple(scheme, fc.string()), ([name, rest]) => {
      expect(isReturnUrl(`${name}:${rest}`)).toBe(false);
    });
  });

  it.each([
    ['https://a.example/x', true, true, true],
    ['http://127.0.0.1:3000/x', false, true, true],
    ['http://localhost/x', false, true, true],
    ['http://a.example', false, false, false],
    ['myapp://done', false, false, true],
    ['not a url', false, false, false],
  ])('is checked for https, for secure and for return URLs: %s', (text, https, secure, returns) => {
    expect([isHttpsUrl(text), isSecureUrl(text), isReturnUrl(text)]).toEqual([
      https,
      secure,
      returns,
    ]);
  });

  it('is loopback by name or by address', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) expect(isLoopbackHost(host)).toBe(true);
    for (const host of ['localhost.example', '127.0.0.1.example', '10.0.0.1', '']) {
      expect(isLoopbackHost(host)).toBe(false);
    }
  });
});
