import fc from 'fast-check';
import { SiweMessage as SiwePackageMessage } from 'siwe';
import { bytesToHex, getAddress, type Hex } from 'viem';
import { createSiweMessage, parseSiweMessage as viemParse } from 'viem/siwe';
import { describe, expect, it } from 'vitest';
import {
  buildSiweMessage,
  checkSiweMessage,
  parseSiweMessage,
  type SiweMessage,
} from '../../src/evm/index.js';

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(bytesToHex(bytes)));
const time = fc
  .date({
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());
/** Two of the libraries have no stricter rules, so the messages are any that the standard allows. */
const EIP_4361 = { rules: 'eip-4361' } as const;
const label = fc.stringMatching(/^[a-z0-9]{1,10}$/);
const domain = fc
  .tuple(label, fc.constantFrom('example', 'example.com', 'localhost'), fc.nat(65_535))
  .map(([sub, host, port]) => (port % 2 ? `${sub}.${host}` : `${sub}.${host}:${port}`));
const uri = fc
  .tuple(domain, fc.stringMatching(/^[a-z0-9/._~-]{0,20}$/))
  .map(([host, path]) => `https://${host}/${path}`);

/** Fields that all three libraries accept, in every combination of the optional ones. */
const fields: fc.Arbitrary<SiweMessage> = fc
  .record(
    {
      domain,
      address,
      uri,
      version: fc.constant('1' as const),
      chainId: fc.integer({ min: 1, max: 2 ** 31 }),
      nonce: fc.stringMatching(/^[A-Za-z0-9]{8,40}$/),
      issuedAt: time,
      statement: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 .,:!?()-]{0,60}[A-Za-z0-9.]$/),
      expirationTime: time,
      notBefore: time,
      requestId: fc.stringMatching(/^[A-Za-z0-9._~-]{1,20}$/),
      resources: fc.array(uri, { minLength: 1, maxLength: 4 }),
      scheme: fc.constantFrom('https', 'http'),
    },
    {
      requiredKeys: ['domain', 'address', 'uri', 'version', 'chainId', 'nonce', 'issuedAt'],
    },
  )
  .map((record) => record as SiweMessage);

/** What a library returns, or its error. */
function attempt(build: () => string): unknown {
  try {
    return build();
  } catch (error) {
    return error;
  }
}

describe('an EIP-4361 message', () => {
  it('is unchanged after it is built and parsed', () => {
    fc.assert(
      fc.property(fields, (message) => {
        expect(parseSiweMessage(buildSiweMessage(message, EIP_4361))).toEqual(message);
      }),
    );
  });

  it('has the same text as with the siwe package, which parses it to the same fields', () => {
    fc.assert(
      fc.property(fields, (message) => {
        const text = buildSiweMessage(message, EIP_4361);
        const { resources, ...rest } = message;
        const siweMessage = new SiwePackageMessage({
          ...rest,
          ...(resources && { resources: [...resources] }),
        } as Partial<SiwePackageMessage>);
        expect(siweMessage.toMessage()).toBe(text);
        const parsed = new SiwePackageMessage(text);
        for (const [key, value] of Object.entries(message)) {
          expect(parsed[key as keyof SiwePackageMessage]).toEqual(value);
        }
      }),
    );
  });

  it('has the same text as with viem/siwe, which parses it to the same fields', () => {
    fc.assert(
      fc.property(fields, (message) => {
        const { issuedAt, expirationTime, notBefore, resources, ...rest } = message;
        const viemText = createSiweMessage({
          ...rest,
          address: rest.address as Hex,
          issuedAt: new Date(issuedAt),
          ...(expirationTime && { expirationTime: new Date(expirationTime) }),
          ...(notBefore && { notBefore: new Date(notBefore) }),
          ...(resources && { resources: [...resources] }),
        } as Parameters<typeof createSiweMessage>[0]);
        const text = buildSiweMessage(message, EIP_4361);
        expect(text).toBe(viemText);
        expect(viemParse(text)).toMatchObject({ ...rest, issuedAt: new Date(issuedAt) });
      }),
    );
  });

  it.each<[what: string, change: Partial<SiweMessage>]>([
    ['a nonce in base64, as the service issues them', { nonce: 'q83vEjRWeJA=' }],
    ['a host of one label', { domain: 'intranet', uri: 'https://intranet' }],
    ['a loopback address of IPv6', { domain: '[::1]:3000', uri: 'http://[::1]:3000' }],
    ['an internationalised domain', { domain: 'app.xn--p1ai', uri: 'https://app.xn--p1ai' }],
    ['a time without milliseconds', { issuedAt: '2026-01-31T09:00:00Z' }],
    ['a time with an offset', { issuedAt: '2026-01-31T10:00:00.000+01:00' }],
    ['an empty request id', { requestId: '' }],
  ])('is built here and not by viem/siwe with %s, which is why ours remains', (_, change) => {
    const message: SiweMessage = {
      domain: 'app.example',
      address: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
      uri: 'https://app.example',
      version: '1',
      chainId: 59144,
      nonce: '6f1a2b3c4d5e',
      issuedAt: '2026-01-31T09:00:00.000Z',
      ...change,
    };
    const text = buildSiweMessage(message, { allowAnyNonce: true });
    expect(parseSiweMessage(text, { allowAnyNonce: true })).toEqual(message);
    const byViem = () =>
      createSiweMessage({
        ...message,
        address: message.address as Hex,
        issuedAt: new Date(message.issuedAt),
      } as Parameters<typeof createSiweMessage>[0]);
    expect(attempt(byViem)).not.toBe(text);
  });

  it('cannot be built with a line break or control character in any field', () => {
    const unsafe = fc.constantFrom(
      '\n',
      '\r',
      '\r\n',
      '\t',
      '\0',
      '\u001f',
      '\u007f',
      '\u0085',
      '\u2028',
      '\u2029',
      '\u202e',
    );
    const paths = [
      'domain',
      'statement',
      'uri',
      'nonce',
      'issuedAt',
      'expirationTime',
      'notBefore',
      'requestId',
      'scheme',
      'address',
    ] as const;
    fc.assert(
      fc.property(
        fields,
        unsafe,
        fc.constantFrom(...paths),
        fc.nat(),
        (message, text, path, at) => {
          const value = message[path] ?? '';
          const place = at % (value.length + 1);
          const tampered = `${value.slice(0, place)}${text}${value.slice(place)}`;
          const build = () => buildSiweMessage({ ...message, [path]: tampered }, EIP_4361);
          expect(build).toThrow(path);
          const resources = [`https://app.example/${text}`];
          expect(() => buildSiweMessage({ ...message, resources }, EIP_4361)).toThrow('resources');
        },
      ),
    );
  });
});

describe('checkSiweMessage', () => {
  const message: SiweMessage = {
    domain: 'app.example',
    address: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
    statement: 'Prove address ownership',
    uri: 'https://app.example',
    version: '1',
    chainId: 59144,
    nonce: '6f1a2b3c4d5e',
    issuedAt: '2026-01-31T09:00:00.000Z',
    expirationTime: '2026-01-31T09:02:00.000Z',
    notBefore: '2026-01-31T08:59:00.000Z',
  };
  const text = buildSiweMessage(message);
  const { domain: host, uri: page, chainId, nonce, address: account } = message;
  const now = Date.parse('2026-01-31T09:01:00Z');
  const expected = { domain: host, uri: page, chainId, nonce, address: account, now };

  it('returns the fields of a valid message', () => {
    expect(checkSiweMessage(text, expected)).toEqual({ ok: true, message });
    const lower = { ...expected, address: account.toLowerCase() };
    expect(checkSiweMessage(text, lower).ok).toBe(true);
  });

  it.each([
    ['domain', { domain: 'evil.example' }],
    ['uri', { uri: 'https://app.example/' }],
    ['chainId', { chainId: 1 }],
    ['nonce', { nonce: '6f1a2b3c4d5f' }],
    ['address', { address: '0x52908400098527886E0F7030069857D2E4169EE7' }],
    ['expirationTime', { now: Date.parse('2026-01-31T09:02:00Z') }],
    ['notBefore', { now: Date.parse('2026-01-31T08:58:59Z') }],
  ])('reports the %s when it is not as expected', (path, difference) => {
    const check = checkSiweMessage(text, { ...expected, ...difference });
    expect(check).toMatchObject({ ok: false, issues: [{ path }] });
  });

  it('reports every problem at once', () => {
    const check = checkSiweMessage(text, { ...expected, domain: 'a', chainId: 2, nonce: 'b' });
    expect(check.ok ? [] : check.issues.map(({ path }) => path)).toEqual([
      'domain',
      'chainId',
      'nonce',
    ]);
  });

  it.each([
    '',
    'hello',
    `${text}\n`,
    ` ${text}`,
    text.replace('\n\n', '\n'),
    'x'.repeat(20_000),
  ])('reports a problem instead of throwing for the invalid text %j', (other) => {
    expect(checkSiweMessage(other, expected).ok).toBe(false);
  });

  it('accepts a nonce outside EIP-4361 only with allowAnyNonce', () => {
    const withInvalidNonce = { ...message, nonce: 'q83vEjRWeJA/+w==' };
    expect(() => buildSiweMessage(withInvalidNonce)).toThrow(
      /nonce: must be at least 8 letters and digits/,
    );
    const lenient = { allowAnyNonce: true };
    const built = buildSiweMessage(withInvalidNonce, lenient);
    expect(() => parseSiweMessage(built)).toThrow(/nonce/);
    expect(parseSiweMessage(built, lenient).nonce).toBe(withInvalidNonce.nonce);
    expect(checkSiweMessage(built, { ...expected, nonce: withInvalidNonce.nonce }).ok).toBe(false);
    expect(
      checkSiweMessage(built, { ...expected, ...lenient, nonce: withInvalidNonce.nonce }).ok,
    ).toBe(true);
    for (const worse of ['', 'a b', 'a\nb', 'ä', '+'.repeat(201)]) {
      expect(() => buildSiweMessage({ ...withInvalidNonce, nonce: worse }, lenient)).toThrow(
        /nonce/,
      );
    }
  });
});
