import bs58 from 'bs58';
import { getAddress } from 'ethers';
import fc from 'fast-check';
import * as fields from '../../src/contract/fields.js';
import type { Schema } from '../../src/contract/schema.js';

const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdefABCDEF`;
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const LETTERS = `${LOWER}${LOWER.toUpperCase()}`;

const consistsOf = (text: string, alphabet: string) =>
  [...text].every((character) => alphabet.includes(character));
const hasAnyOf = (text: string, alphabet: string) =>
  [...text].some((character) => alphabet.includes(character));
const hexDigits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...HEX), minLength: length, maxLength: length });
const textOf = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });
const isHex = (text: string, length: number) => text.length === length && consistsOf(text, HEX);
const isPrefixedHex = (text: string, length: number) =>
  text.startsWith('0x') && isHex(text.slice(2), length);

const decimal = fc
  .tuple(textOf(DIGITS, 1, 40), fc.option(textOf(DIGITS, 1, 40)))
  .map(([whole, fraction]) => (fraction === null ? whole : `${whole}.${fraction}`));
function isDecimal(text: string): boolean {
  const parts = text.split('.');
  const filled = parts.every((part) => part !== '' && consistsOf(part, DIGITS));
  return text.length <= 100 && parts.length <= 2 && filled;
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const base58Of = (text: string) => bs58.decodeUnsafe(text)?.length;
const isAddress = (text: string) => {
  const digits = text.slice(2);
  if (!isPrefixedHex(text, 40) || consistsOf(digits, '0')) return false;
  const carriesChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return !carriesChecksum || getAddress(text.toLowerCase()) === text;
};
const address = hexDigits(40)
  .filter((digits) => !consistsOf(digits, '0'))
  .chain((digits) =>
    fc.constantFrom(
      `0x${digits.toLowerCase()}`,
      `0x${digits.toUpperCase()}`,
      getAddress(`0x${digits.toLowerCase()}`),
    ),
  );
const uuid = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
);
const pathCharacters = `${LETTERS}${DIGITS}._~-`;

const isControl = (character: string) => /[\p{Cc}\u2028\u2029]/u.test(character);
const isBlank = (character: string) =>
  /[\s\u2800]|\p{Default_Ignorable_Code_Point}/u.test(character);
const isVisible = (character: string) =>
  !isBlank(character) && !/\p{Control}|\p{Format}|\p{Surrogate}/u.test(character);
const isIdentifier = (text: string) => {
  const characters = [...text];
  return characters.length >= 1 && characters.length <= 200 && characters.every(isVisible);
};
const identifier = fc.oneof(
  textOf(`${pathCharacters}:@+=&|é漢`, 1, 200).filter((id) => id !== '.' && id !== '..'),
  fc.uuid(),
);

/** Whether a URL reaches the wire without a part being dropped or rewritten. */
const isPlain = (text: string) =>
  text.length <= 4096 && [...text].every((c) => c > ' ' && c !== '\\' && !/[\s\p{Cc}]/u.test(c));
const url = (text: string, accepts: (url: URL) => boolean) =>
  isPlain(text) && URL.canParse(text) && accepts(new URL(text));
const isHttps = ({ protocol, username, password }: URL) =>
  protocol === 'https:' && username === '' && password === '';
const LOOPBACK = ['localhost', '[::1]'];
const is127 = (hostname: string) => {
  const parts = hostname.split('.');
  return (
    parts.length === 4 && parts[0] === '127' && parts.every((part) => consistsOf(part, DIGITS))
  );
};
const isLoopback = ({ protocol, hostname }: URL) =>
  protocol === 'http:' && (LOOPBACK.includes(hostname) || is127(hostname));
const DANGEROUS =
  'http https javascript data vbscript blob file about filesystem ftp ws wss jar view-source';
const isAppLink = ({ protocol }: URL) =>
  protocol.length <= 65 && !DANGEROUS.split(' ').includes(protocol.slice(0, -1));
const https = fc.webUrl({
  validSchemes: ['https'],
  withFragments: true,
  withQueryParameters: true,
});
const loopback = fc
  .tuple(
    fc.constantFrom('localhost', '[::1]', '127.0.0.1', '127.1.2.3'),
    fc.integer({ min: 1, max: 65535 }),
  )
  .map(([host, port]) => `http://${host}:${port}/path`);

/** A field, valid values of it, and a second implementation of its rule. */
export type Validator = {
  schema: Schema;
  valid: fc.Arbitrary<string>;
  /** Returns whether the field may accept a text, decided independently of the schema. */
  accepts: (text: string) => boolean;
  /** The schema rejects some texts that this rule accepts, so only accepted texts are compared. */
  isStricter?: true;
};

/** Every text field of the contract. */
export const VALIDATORS: Record<string, Validator> = {
  email: {
    schema: fields.email,
    // RFC 5321 and 6531: every character of an atom, letters of every script, domains in both spellings.
    valid: fc
      .tuple(
        textOf(`${LETTERS}${DIGITS}!#$%&'*+-/=?^_\`{|}~öü用户д`, 1, 20),
        textOf(`${LETTERS}${DIGITS}ö例`, 1, 20),
        fc.oneof(textOf(LOWER, 2, 6), fc.constantFrom('xn--p1ai', 'рф', '公司')),
      )
      .map(([name, host, top]) => `${name}.${name}@${host}.${top}`),
    accepts: (text) => {
      const [name = '', host = '', ...rest] = text.split('@');
      const labels = host.split('.');
      return (
        text.length <= 254 &&
        rest.length === 0 &&
        name.length >= 1 &&
        name.length <= 64 &&
        labels.length >= 2 &&
        !labels.includes('') &&
        !/[\s\p{Cc}]/u.test(text)
      );
    },
    isStricter: true,
  },
  otpCode: {
    schema: fields.otpCode,
    valid: textOf(DIGITS, 6, 6),
    accepts: (text) => text.length === 6 && consistsOf(text, DIGITS),
  },
  uuid: {
    schema: fields.uuid,
    valid: uuid,
    accepts: (text) => {
      const parts = text.split('-');
      return (
        parts.length === 5 && parts.every((part, i) => isHex(part, i === 0 ? 8 : i === 4 ? 12 : 4))
      );
    },
  },
  pathId: {
    schema: fields.pathId,
    valid: textOf(pathCharacters, 1, 200).filter((id) => id !== '.' && id !== '..'),
    accepts: (text) =>
      text.length >= 1 &&
      text.length <= 200 &&
      consistsOf(text, pathCharacters) &&
      text !== '.' &&
      text !== '..',
  },
  identifier: { schema: fields.identifier, valid: identifier, accepts: isIdentifier },
  pathIdentifier: {
    schema: fields.pathIdentifier,
    valid: identifier,
    accepts: (text) =>
      isIdentifier(text) && text !== '.' && text !== '..' && !hasAnyOf(text, '/\\?#%'),
  },
  anyAddress: {
    schema: fields.anyAddress,
    valid: textOf(`${LETTERS}${DIGITS}:-_`, 1, 200),
    accepts: (text) =>
      text.length >= 1 && text.length <= 200 && [...text].every((c) => c > ' ' && c < '\x7f'),
  },
  memo: {
    schema: fields.memo,
    valid: textOf(`${LETTERS}${DIGITS} é漢`, 1, 256).filter((text) => text.trim() !== ''),
    accepts: (text) =>
      [...text].length <= 256 &&
      ![...text].some((character) => isControl(character) || /\p{Format}/u.test(character)) &&
      ![...text].every(isBlank),
  },
  walletAddress: {
    schema: fields.walletAddress,
    valid: fc.oneof(
      address,
      bytes(32)
        .filter((key) => key.some((byte) => byte !== 0))
        .map((key) => bs58.encode(key)),
    ),
    accepts: (text) => isAddress(text) || (base58Of(text) === 32 && text !== '1'.repeat(32)),
  },
  code: {
    schema: fields.code,
    valid: textOf(`${LETTERS}${DIGITS}._-₮`, 1, 200),
    accepts: (text) => isIdentifier(text) && !hasAnyOf(text, ',:'),
  },
  lowerCaseCode: {
    schema: fields.lowerCaseCode,
    valid: textOf(`${LOWER}${DIGITS}._-₮`, 1, 200),
    accepts: (text) => isIdentifier(text) && !/\p{Uppercase_Letter}/u.test(text),
  },
  decimalAmount: { schema: fields.decimalAmount, valid: decimal, accepts: isDecimal },
  positiveAmount: {
    schema: fields.positiveAmount,
    valid: decimal.filter((text) => !consistsOf(text, '0.')),
    accepts: (text) => isDecimal(text) && !consistsOf(text, '0.'),
  },
  hexColour: {
    schema: fields.hexColour,
    valid: fc
      .constantFrom(3, 4, 6, 8)
      .chain(hexDigits)
      .map((digits) => `#${digits}`),
    accepts: (text) =>
      text.startsWith('#') && [3, 4, 6, 8].some((length) => isHex(text.slice(1), length)),
  },
  calendarDay: {
    schema: fields.calendarDay,
    valid: fc
      .date({ min: new Date(0), max: new Date(Date.UTC(9999, 0)), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    accepts: (text) => {
      const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
      return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
    },
  },
  notBlank: {
    schema: fields.notBlank,
    valid: textOf(LETTERS, 1, 50),
    accepts: (text) => text.trim() !== '',
  },
  digits: {
    schema: fields.digits,
    valid: textOf(DIGITS, 1, 15),
    accepts: (text) => text !== '' && consistsOf(text, DIGITS),
  },
  nineDigits: {
    schema: fields.nineDigits,
    valid: textOf(DIGITS, 9, 9),
    accepts: (text) => text.length === 9 && consistsOf(text, DIGITS),
  },
  twoLetters: {
    schema: fields.twoLetters,
    valid: textOf(LETTERS, 2, 2),
    accepts: (text) => text.length === 2 && consistsOf(text, LETTERS),
  },
  callingCode: {
    schema: fields.callingCode,
    valid: textOf(DIGITS, 1, 4).map((digits) => `+${digits}`),
    accepts: (text) => {
      const digits = text.startsWith('+') ? text.slice(1) : text;
      return digits.length >= 1 && digits.length <= 4 && consistsOf(digits, DIGITS);
    },
  },
  anyEmail: {
    schema: fields.anyEmail,
    valid: textOf(LETTERS, 1, 20).map((name) => `${name}@example.com`),
    accepts: (text) => {
      const [name, host, ...rest] = text.split('@');
      return Boolean(name) && Boolean(host) && rest.length === 0 && !/\s/.test(text);
    },
  },
  codeVerifier: {
    schema: fields.codeVerifier,
    valid: textOf(`${LETTERS}${DIGITS}-._~`, 43, 128),
    accepts: (text) =>
      text.length >= 43 && text.length <= 128 && consistsOf(text, `${LETTERS}${DIGITS}-._~`),
  },
  codeChallenge: {
    schema: fields.codeChallenge,
    valid: textOf(`${LETTERS}${DIGITS}-_`, 43, 43),
    accepts: (text) => text.length === 43 && consistsOf(text, `${LETTERS}${DIGITS}-_`),
  },
  evmAddress: { schema: fields.evmAddress, valid: address, accepts: isAddress },
  evmHash: {
    schema: fields.evmHash,
    valid: hexDigits(64).map((digits) => `0x${digits}`),
    accepts: (text) => isPrefixedHex(text, 64),
  },
  evmSignature: {
    schema: fields.evmSignature,
    valid: hexDigits(130).map((digits) => `0x${digits}`),
    accepts: (text) => isPrefixedHex(text, 130),
  },
  solanaAddress: {
    schema: fields.solanaAddress,
    valid: bytes(32).map((key) => bs58.encode(key)),
    accepts: (text) => base58Of(text) === 32,
  },
  solanaSignature: {
    schema: fields.solanaSignature,
    valid: bytes(64)
      .map((signature) => bs58.encode(signature))
      .filter((text) => text.length >= 87),
    accepts: (text) => (text.length === 87 || text.length === 88) && base58Of(text) === 64,
  },
  delegationToken: {
    schema: fields.delegationToken,
    valid: textOf(`${LETTERS}${DIGITS}_-`, 1, 200),
    accepts: (text) =>
      text.length >= 1 && text.length <= 200 && consistsOf(text, `${LETTERS}${DIGITS}_-`),
  },
  httpsUrl: {
    schema: fields.httpsUrl,
    valid: https,
    accepts: (text) => url(text, isHttps),
    isStricter: true,
  },
  secureUrl: {
    schema: fields.secureUrl,
    valid: fc.oneof(https, loopback),
    accepts: (text) => url(text, (parsed) => isHttps(parsed) || isLoopback(parsed)),
    isStricter: true,
  },
  returnUrl: {
    schema: fields.returnUrl,
    valid: fc.oneof(
      https,
      loopback,
      textOf(LOWER, 8, 12).map((scheme) => `my${scheme}://done`),
    ),
    accepts: (text) =>
      url(text, (parsed) => isHttps(parsed) || isLoopback(parsed) || isAppLink(parsed)),
    isStricter: true,
  },
  'text up to 5': {
    schema: fields.textUpTo(5),
    valid: textOf(LETTERS, 1, 5),
    // Counts characters, not UTF-16 units: an emoji is one.
    accepts: (text) => text !== '' && [...text].length <= 5 && ![...text].some(isControl),
  },
  'filled text': {
    schema: fields.filledText,
    valid: textOf(LETTERS, 1, 50),
    accepts: (text) => text.length > 0,
  },
  'one of': {
    schema: fields.oneOf(['VIRTUAL', 'METAL']),
    valid: fc.constantFrom('VIRTUAL', 'METAL'),
    accepts: (text) => text === 'VIRTUAL' || text === 'METAL',
  },
};
