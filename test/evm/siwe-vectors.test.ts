import { recoverMessageAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { isEvmAddress, toChecksumAddress } from '../../src/contract/formats/evm-address.js';
import { buildSiweMessage, checkSiweMessage, parseSiweMessage } from '../../src/evm/index.js';
import {
  FRAGMENT,
  IP_FUTURE,
  isUri,
  PCHAR,
  PCT_ENCODED,
  REG_NAME,
  SCHEME,
  type SiweMessage,
  STATEMENT,
  USERINFO,
  whole,
} from '../../src/evm/siwe/rules.js';
import { vectors } from './support/vectors.js';

type Fields = SiweMessage & Record<string, string | undefined>;

const RULES: Record<string, RegExp> = {
  scheme: whole(SCHEME),
  statement: whole(STATEMENT),
  'pct-encoded': whole(PCT_ENCODED),
  userinfo: whole(USERINFO),
  IPvFuture: whole(IP_FUTURE),
  'reg-name': whole(REG_NAME),
  'segment-nz': whole(`${PCHAR}+`),
  fragment: whole(FRAGMENT),
};

const EIP_4361 = { rules: 'eip-4361' } as const;

/** Vectors that EIP-4361 allows and the strict rules refuse: the URI is on another host or port. */
const REFUSED_BY_STRICT_RULES: ReadonlySet<string> = new Set([
  'domain is RFC 3986 authority with IP',
  'domain is RFC 3986 authority with userinfo',
  'domain is RFC 3986 authority with port',
  'domain is localhost authority with port',
  'domain is RFC 3986 authority with userinfo and port',
  'domain ipv6',
  'uri ipv6',
  'uri ipv4',
  'uri with port',
  'uri ipv4 query params and fragment',
  'recovery byte starting at 0',
  'implicit scheme, explicit port',
  'missing resources',
  'empty resources',
  'single resource URI',
  'multiple resource URIs',
]);

function isStrict(fields: SiweMessage): boolean {
  try {
    buildSiweMessage(fields);
    return true;
  } catch {
    return false;
  }
}

describe('the public EIP-4361 vectors', () => {
  it.each(
    vectors<{ name: string; rule: string; input: string; accept: boolean }>(
      'eip4361-grammar-chars',
    ),
  )('define the character class of $name', ({ rule, input, accept }) => {
    expect(RULES[rule]?.test(input)).toBe(accept);
  });

  it.each(
    vectors<{ name: string; message: string; fields: SiweMessage }>('eip4361-parse-positive'),
  )('include a valid message that parses and builds back: $name', ({ name, message, fields }) => {
    const parsed = parseSiweMessage(message);
    const { version, ...rest } = fields;
    const expected = Object.fromEntries(
      Object.entries(rest).filter(([key, value]) => key !== 'signature' && value !== null),
    );
    expect(parsed).toEqual({ version: String(version), ...expected });
    expect(buildSiweMessage(parsed, EIP_4361)).toBe(message);
    expect(isStrict(parsed)).toBe(!REFUSED_BY_STRICT_RULES.has(name));
  });

  it.each(
    vectors<{ name: string; message: string }>('eip4361-spec-examples'),
  )('include an example of the specification that parses and builds back: $name', ({
    name,
    message,
  }) => {
    const parsed = parseSiweMessage(message);
    expect(buildSiweMessage(parsed, EIP_4361)).toBe(message);
    expect(isStrict(parsed)).toBe(!REFUSED_BY_STRICT_RULES.has(name));
  });

  it.each(
    vectors<{ name: string; message: string }>('eip4361-parse-negative'),
  )('include an invalid message that is refused: $name', ({ message }) => {
    expect(() => parseSiweMessage(message)).toThrow(/not valid/);
  });

  it.each(
    vectors<{ name: string; uri: string; message: string }>('eip4361-uri-negative'),
  )('include an invalid URI that is refused: $name $uri', ({ uri, message }) => {
    expect(isUri(uri)).toBe(false);
    expect(() => parseSiweMessage(message)).toThrow(/uri/);
  });

  it.each(
    vectors<{ name: string; fields: SiweMessage; error: string | null }>('eip4361-object-mixed'),
  )('include fields that build or are refused as expected: $name', ({ name, fields, error }) => {
    if (error === null) {
      const resources = fields.resources?.length === 0 ? [] : fields.resources;
      expect(parseSiweMessage(buildSiweMessage(fields, EIP_4361)).resources).toEqual(resources);
      expect(isStrict(fields)).toBe(!REFUSED_BY_STRICT_RULES.has(name));
    } else {
      expect(() => buildSiweMessage(fields, EIP_4361)).toThrow(/not valid/);
      expect(isStrict(fields)).toBe(false);
    }
  });

  it.each(
    vectors<{ name: string; fields: SiweMessage }>('eip4361-object-negative'),
  )('include invalid fields that are refused: $name', ({ fields }) => {
    expect(() => buildSiweMessage(fields, EIP_4361)).toThrow(/not valid/);
    expect(isStrict(fields)).toBe(false);
  });

  it.each(
    vectors<{ name: string; expect: string; fields: Fields }>('eip4361-verify'),
  )('include a signed message that is $expect: $name', async ({ expect: verdict, fields }) => {
    expect(await isValid(fields)).toBe(verdict === 'valid');
  });
});

async function isValid(vector: Fields): Promise<boolean> {
  const { signature, time, domainBinding, matchNonce, ...fields } = vector;
  let text: string;
  try {
    text = buildSiweMessage(fields, EIP_4361);
  } catch {
    return false;
  }
  const { uri, chainId, address } = fields;
  const now = Date.parse(time ?? '2026-01-01T00:00:00Z');
  const domain = domainBinding ?? fields.domain;
  const nonce = matchNonce ?? fields.nonce;
  if (!checkSiweMessage(text, { domain, uri, chainId, nonce, address, now }).ok) return false;
  const signer = await recoverMessageAddress({
    message: text,
    signature: signature as `0x${string}`,
  }).catch(() => undefined);
  return signer === address;
}

describe('the public EIP-55 vectors', () => {
  it.each(
    vectors<{ address: string; class: string }>('eip55-checksum'),
  )('include the address $address, which is checked as $class', ({ address, class: kind }) => {
    expect(isEvmAddress(address)).toBe(kind !== 'bad-checksum');
    const hasChecksumForm = toChecksumAddress(address) === address;
    expect(hasChecksumForm).toBe(kind.startsWith('checksummed'));
  });
});

it('the tests of EIP-4361 use all 160 public vectors', () => {
  const parsing = ['grammar-chars', 'parse-positive', 'spec-examples', 'parse-negative'];
  const building = ['uri-negative', 'object-mixed', 'object-negative', 'verify'];
  const counts = [...parsing, ...building].map((name) => vectors(`eip4361-${name}`).length);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(160);
});
