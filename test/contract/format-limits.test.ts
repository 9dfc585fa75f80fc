import { describe, expect, it } from 'vitest';
import {
  decodeBase58,
  encodeBase58,
  isSolanaSignature,
} from '../../src/contract/formats/base58.js';
import {
  baseUnitsToDecimal,
  decimalToBaseUnits,
  isDecimal,
} from '../../src/contract/formats/decimal.js';
import { readSignedMessage } from '../../src/contract/formats/signed-message.js';

describe('base58', () => {
  it('is decoded up to 128 characters, because it takes quadratic time', () => {
    expect(decodeBase58('1'.repeat(128))).toHaveLength(128);
    expect(decodeBase58('1'.repeat(129))).toBeUndefined();
  });

  it('encodes up to 93 bytes, which can be decoded again', () => {
    const longest = new Uint8Array(93).fill(255);
    expect(decodeBase58(encodeBase58(longest))).toEqual(longest);
    expect(() => encodeBase58(new Uint8Array(94))).toThrow(RangeError);
  });

  it.each([
    [Uint8Array.from({ length: 64 }, () => 255), true],
    [Uint8Array.from({ length: 65 }, (_, at) => (at === 0 ? 0 : 255)), false],
    [Uint8Array.from({ length: 63 }, () => 255), false],
    // 86 characters: the service takes 87 and 88.
    [Uint8Array.from({ length: 64 }, (_, at) => (at === 2 ? 1 : 0)), false],
  ])('the %#. of the lists of bytes is a signature that the service takes: %s', (bytes, isSignature) => {
    expect(isSolanaSignature(encodeBase58(bytes))).toBe(isSignature);
  });
});

describe('a decimal', () => {
  it('has at most 100 characters', () => {
    expect(isDecimal('9'.repeat(100))).toBe(true);
    expect(isDecimal('9'.repeat(101))).toBe(false);
    expect(decimalToBaseUnits('9'.repeat(101), 0)).toBeUndefined();
  });

  it('has at most 255 decimals', () => {
    expect(decimalToBaseUnits('1', 255)).toBe(10n ** 255n);
    expect(baseUnitsToDecimal(10n ** 255n, 255)).toBe('1');
    for (const decimals of [256, -1, 1.5]) {
      expect(() => decimalToBaseUnits('1', decimals)).toThrow(RangeError);
      expect(() => baseUnitsToDecimal(1n, decimals)).toThrow(RangeError);
    }
  });
});

it('a signed message is read up to 16,384 characters', () => {
  const address = `0x${'ab'.repeat(20)}`;
  const messageOf = (length: number) => {
    const start = `shop.test wants you to sign in with your Ethereum account:\n${address}\n\n`;
    const end = '\n\nURI: https://shop.test\nVersion: 1\nChain ID: 59144\nNonce: n\nIssued At: now';
    const body = end.replace('\n\n', '\n');
    return start + 'x'.repeat(length - start.length - body.length - 1) + end;
  };
  const longest = messageOf(16_384);
  expect(longest).toHaveLength(16_384);
  expect(readSignedMessage(longest)).toEqual({ address, chainId: 59144 });
  expect(readSignedMessage(messageOf(16_385))).toBeUndefined();
});
