import bs58 from 'bs58';
import { getAddress } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/contract/check.js';
import * as fields from '../../src/contract/fields.js';
import { isIsoDate } from '../../src/contract/formats/iso-date.js';
import { isAllowedReturnUrl, isAppScheme } from '../../src/contract/formats/url.js';
import { fitsIntoBytes } from '../../src/contract/formats/utf8-length.js';
import { withdrawFromInternalWallet } from '../../src/contract/internal-wallets.js';
import { brokenSafeguards } from '../../src/contract/safeguard.js';
import { copyInput } from '../../src/transport/request/copy-input.js';
import { anyText, holds, hostileCharacter, nearly } from './runs.js';

const { safeguards = [] } = withdrawFromInternalWallet;
const problemsOf = (input: Record<string, unknown>) =>
  brokenSafeguards(safeguards, input, {}, []).map(({ path }) => path);

const evm = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .filter((bytes) => bytes.some((byte) => byte !== 0))
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString('hex')}`));
const solana = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes.some((byte) => byte !== 0))
  .map((bytes) => bs58.encode(bytes));

const isEvm = (text: string) => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text) || /^0x0*$/.test(text)) return false;
  const digits = text.slice(2);
  const isOneCase = [digits.toLowerCase(), digits.toUpperCase()].includes(digits);
  return isOneCase || getAddress(text.toLowerCase()) === text;
};
const isSolana = (text: string) =>
  bs58.decodeUnsafe(text)?.length === 32 && text !== '1'.repeat(32);

describe('the recipient of a withdrawal', () => {
  const families: [string, fc.Arbitrary<string>, (text: string) => boolean][] = [
    ['usdc', evm, isEvm],
    ['usdt', evm, isEvm],
    ['usdc', solana, isSolana],
    ['sol', solana, isSolana],
  ];

  it.each(
    families,
  )('of %s is an address on its network, and no other text', (currency, valid, accepts) => {
    holds([valid, fc.oneof(valid, nearly(valid), anyText)], (sourceAddress, recipientAddress) => {
      if (recipientAddress.toLowerCase() === sourceAddress.toLowerCase()) return;
      const problems = problemsOf({ currency, sourceAddress, recipientAddress });
      expect(problems).toEqual(accepts(recipientAddress) ? [] : ['recipientAddress']);
    });
  });

  it('is never the source in any case, unless the memo differs', () => {
    const memo = fc.option(fc.constantFrom('1', '2'));
    holds([evm, fc.func(fc.boolean()), memo, memo], (address, coin, recipientMemo, sourceMemo) => {
      const input = {
        currency: 'usdc',
        sourceAddress: address,
        recipientAddress: coin(address) ? address : address.toLowerCase(),
        recipientMemo,
        sourceMemo,
      };
      const isOther = recipientMemo !== null && recipientMemo !== sourceMemo;
      expect(problemsOf(input)).toEqual(isOther ? [] : ['recipientAddress']);
    });
  });

  it('and all other fields may be anything without an exception', () => {
    const names = ['currency', 'sourceAddress', 'recipientAddress', 'recipientMemo', 'amount'];
    const input = fc.dictionary(fc.constantFrom(...names), fc.anything());
    holds([input], (fieldsOfInput) => {
      expect(() => problemsOf(fieldsOfInput)).not.toThrow();
    });
  });
});

describe('the amount of a withdrawal', () => {
  it('has no more decimals than its currency, however they are written', () => {
    const digits = fc.stringMatching(/^\d{1,30}$/);
    holds(
      [digits, fc.option(digits), fc.constantFrom('usdc', 'usdt')],
      (whole, fraction, currency) => {
        const amount = fraction === null ? whole : `${whole}.${fraction}`;
        const fits = fraction === null || fraction.length <= 6;
        expect(problemsOf({ currency, amount })).toEqual(fits ? [] : ['amount']);
      },
    );
  });
});

describe('the size of metadata', () => {
  it('is counted in bytes of UTF-8', () => {
    holds([fc.jsonValue(), fc.nat({ max: 400 })], (value, limit) => {
      const size = Buffer.byteLength(JSON.stringify(value));
      expect(fitsIntoBytes(value, limit)).toBe(size <= limit);
    });
    holds([anyText], (text) => {
      const size = Buffer.byteLength(JSON.stringify(text));
      expect([fitsIntoBytes(text, size), fitsIntoBytes(text, size - 1)]).toEqual([true, false]);
    });
  });

  it('is not defined for values that are not JSON, so they are refused', () => {
    holds([fc.constantFrom(undefined, () => 1, Symbol('a'), 1n)], (value) => {
      expect(fitsIntoBytes(value, 1_000)).toBe(false);
    });
  });

  it('does not refuse any small JSON object', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
    holds([object], (metadata) => {
      expect(check(fields.metadata, metadata)).toEqual([]);
    });
  });
});

describe('an ISO 8601 date', () => {
  const date = fc.date({ min: new Date(0), max: new Date(Date.UTC(9999, 0)), noInvalidDate: true });

  it('is what Date writes, with any offset', () => {
    const offset = fc.constantFrom('Z', '', '+01:00', '-0530', '+14');
    holds([date, offset, fc.nat({ max: 3 })], (time, zone, precision) => {
      const [day = '', clock = ''] = time.toISOString().slice(0, -1).split('T');
      const lengths = [5, 8, 10, 12];
      expect(isIsoDate(day)).toBe(true);
      expect(isIsoDate(`${day}T${clock.slice(0, lengths[precision])}${zone}`)).toBe(true);
    });
  });

  it('is a day of the calendar', () => {
    const part = fc.nat({ max: 40 });
    holds([fc.integer({ min: 1000, max: 9999 }), part, part], (year, month, day) => {
      const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
      const real = new Date(Date.UTC(year, month - 1, day));
      const isReal = real.getUTCMonth() === month - 1 && real.getUTCDate() === day;
      expect(isIsoDate(text)).toBe(isReal);
    });
  });

  it('has no other character in it', () => {
    holds([nearly(date.map((time) => time.toISOString()))], (text) => {
      if (isIsoDate(text)) expect(text).toMatch(/^[\dT:.,Z+-]+$/);
    });
  });
});

describe('a scheme of an app', () => {
  it('never makes a URL that a browser runs', () => {
    const scheme = fc.mixedCase(
      fc.constantFrom('javascript', 'data', 'vbscript', 'file', 'blob', 'http', 'about', 'jar'),
    );
    holds([scheme, fc.string()], (name, rest) => {
      expect(isAppScheme(name)).toBe(false);
      expect(isAllowedReturnUrl(`${name}:${rest}`, [name])).toBe(
        name.toLowerCase() === 'http' && isAllowedReturnUrl(`${name}:${rest}`, []),
      );
    });
  });

  it('allows links with that scheme and no other', () => {
    const scheme = fc.stringMatching(/^[a-z][a-z0-9+.-]{0,20}$/).map((name) => `x${name}`);
    holds([scheme, scheme], (named, used) => {
      expect(isAllowedReturnUrl(`${used}://done`, [named])).toBe(named === used);
    });
  });
});

describe('a message about an input', () => {
  const key = fc.string({ unit: hostileCharacter, maxLength: 300 });

  it('names the place of a wrong value in printable characters', () => {
    holds([fc.array(key, { minLength: 1, maxLength: 20 })], (keys) => {
      const wrong = keys.reduceRight<unknown>((inner, name) => {
        const holder = {};
        Object.defineProperty(holder, name, { value: inner, enumerable: true });
        return holder;
      }, new Date(0));
      const { issues } = copyInput(wrong);
      expect(issues).toHaveLength(1);
      expect(issues[0]?.path).toMatch(/^[\x20-\x7e]{0,240}$/);
    });
  });
});
