import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isIpv4,
  isIpv6,
  isReturnUrl,
  pageOrigin,
  parseWebUrl,
} from '../../src/contract/formats/url.js';
import { targetOrigin } from '../../src/transport/response/http-response.js';
import { requireBaseUrl } from '../../src/transport/settings/settings.js';
import { holds } from './runs.js';

/** Pieces of URLs: ordinary ones, and those about which parsers disagree. */
const piece = fc.constantFrom(
  ...['https:', 'http:', 'HTTPS:', 'myapp:', '//', '/', '\\', ':', '@', '?', '#', '%2e', '%', '.'],
  ...['a.example', 'A', 'b', '0x7f.1', '127.0.0.1', '256.1.1.1', '1', '08', 'xn--', 'é', ' ', '\t'],
  ...[
    '[::1]',
    '[',
    ']',
    '[1::2:3]',
    ':443',
    ':80',
    ':65536',
    ':0',
    '..',
    '-',
    '_',
    '~',
    "'",
    '|',
    '<',
  ],
);
const nearUrl = fc.oneof(
  fc.webUrl({ validSchemes: ['https', 'http'], withFragments: true, withQueryParameters: true }),
  fc.webUrl({
    authoritySettings: {
      withIPv4: true,
      withIPv4Extended: true,
      withIPv6: true,
      withPort: true,
      withUserInfo: true,
    },
  }),
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.array(piece, { maxLength: 8 }).map((pieces) => `https://${pieces.join('')}`),
  fc.tuple(fc.string(), fc.string()).map(([host, path]) => `https://${host}/${path}`),
);
/** Whether the validity of a host depends on Punycode, which our parser does not decode. */
const hasPunycode = (text: string) => /xn--/i.test(text);

describe('the parser of web URLs', () => {
  it('accepts only what the WHATWG parser reads with the same scheme, origin and query', () => {
    holds([nearUrl], (text) => {
      const url = parseWebUrl(text);
      if (url === undefined || hasPunycode(text)) return;
      const standard = new URL(text);
      expect(url.origin).toBe(standard.origin);
      expect(`${url.scheme}:`).toBe(standard.protocol);
      expect(url.host).toBe(standard.hostname);
      expect([standard.username, standard.password]).toEqual(['', '']);
      expect(url.query !== '').toBe(text.split('#')[0]?.includes('?'));
    });
  });

  it('accepts every URL with a plain host', () => {
    holds([fc.webUrl({ withFragments: true, withQueryParameters: true })], (text) => {
      expect(parseWebUrl(text)?.origin).toBe(new URL(text).origin);
    });
  });

  it('reads IPv6 addresses as the WHATWG parser does', () => {
    const group = fc.constantFrom('0', '00', '0000', '1', 'A', 'ffff', '12345', 'g', '');
    const nearAddress = fc.oneof(
      fc.ipV6(),
      fc.array(group, { maxLength: 9 }).map((groups) => groups.join(':')),
      fc
        .array(fc.constantFrom('0', '1', ':', '::', '1.2.3.4', '01.2.3.4', ':ab'), { maxLength: 9 })
        .map((parts) => parts.join('')),
    );
    holds([nearAddress], (text) => {
      expect(isIpv6(text)).toBe(URL.canParse(`http://[${text}]`));
    });
  });

  it('reads IPv4 addresses of four decimal numbers', () => {
    const part = fc.constantFrom('0', '9', '10', '99', '199', '249', '255', '256', '00', '01', '');
    holds([fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.'))], (text) => {
      // `URL` treats a host that ends in two dots as a name.
      const isCanonical =
        !text.endsWith('.') &&
        URL.canParse(`http://${text}`) &&
        new URL(`http://${text}`).hostname === text;
      expect(isIpv4(text)).toBe(isCanonical);
    });
  });

  it('takes as baseUrl only what the WHATWG parser returns unchanged', () => {
    holds([nearUrl], (text) => {
      let base: string;
      try {
        base = requireBaseUrl(text);
      } catch {
        return;
      }
      if (hasPunycode(text)) return;
      const standard = new URL(text);
      expect(base).toBe(`${standard.origin}${standard.pathname}`.replace(/\/+$/, ''));
      expect(new URL(`${base}/v1/card/status`).href).toBe(`${base}/v1/card/status`);
    });
  });

  it('takes as return URL only what the WHATWG parser reads too, without a user name', () => {
    const link = fc.array(piece, { maxLength: 8 }).map((pieces) => `myapp:${pieces.join('')}`);
    holds([fc.oneof(nearUrl, link)], (text) => {
      if (!isReturnUrl(text) || hasPunycode(text)) return;
      const standard = new URL(text);
      expect([standard.username, standard.password]).toEqual(['', '']);
    });
  });

  it('returns the origin of a redirect only if the WHATWG parser finds the same one', () => {
    const base = 'https://api.example/v1/card/status?x=1';
    holds([nearUrl], (location) => {
      const origin = targetOrigin(location, base);
      if (origin !== undefined && !hasPunycode(location)) {
        expect(origin).toBe(new URL(location, base).origin);
      }
    });
  });

  it.each([
    ['https://other.example/a?b=c', 'https://other.example'],
    ['https://user:secret@other.example/', 'https://other.example'],
    ['HTTPS://OTHER.example:443', 'https://other.example'],
    ['//other.example:8443/x', 'https://other.example:8443'],
    ['/v2/card', 'https://api.example'],
    ['card?token=secret', 'https://api.example'],
    ['\\\\other.example', 'https://other.example'],
    ['myapp://done', undefined],
    ['javascript:alert(1)', undefined],
    ['https://', undefined],
    ['https://other.example/a b', undefined],
    ['https://other.example\t', undefined],
    ['/v2\u0000', undefined],
  ])('returns the origin of the redirect to %s', (location, origin) => {
    expect(targetOrigin(location, 'https://api.example/v1/card/status')).toBe(origin);
  });

  it.each([
    'not a url',
    'https:/a.example',
    'https:a.example',
    'https://a.example\\b',
    ' https://a.example',
    'https://ada@a.example',
    'https://0x7f.1',
    'https://2130706433',
    'https://127.1',
    'https://a..example',
    'https://.a.example',
    'https://exämple.com',
    'https://a.example:65536',
    'https://a.example:x',
    'https://[::1',
    'https://[::g]',
    'https://[2001:db8::1]',
  ])('refuses %s', (text) => {
    expect(parseWebUrl(text)).toBeUndefined();
  });

  it.each([
    'https://a.example/',
    'http://localhost/',
    'myapp://done/',
  ])('refuses %s with more than 4096 characters as a return URL', (start) => {
    expect(isReturnUrl(start.padEnd(4096, 'a'))).toBe(true);
    expect(isReturnUrl(start.padEnd(4097, 'a'))).toBe(false);
  });

  it('takes a host of 253 characters, and none of one more', () => {
    const longest = `${'a.'.repeat(126)}a`;
    expect(parseWebUrl(`https://${longest}/`)?.host).toBe(longest);
    expect(parseWebUrl(`https://${longest}b/`)).toBeUndefined();
  });

  it('takes the port 65535 in five digits, and none that is higher or longer', () => {
    const origin = 'https://a.example:65535';
    expect(parseWebUrl(origin)?.origin).toBe(origin);
    expect(parseWebUrl('https://a.example:065535')).toBeUndefined();
    expect(pageOrigin(origin)).toBe(origin);
    expect(pageOrigin('https://a.example:65536')).toBeUndefined();
    expect(isReturnUrl('myapp://a:65535')).toBe(true);
    expect(isReturnUrl('myapp://a:65536')).toBe(false);
  });

  it.each([null, undefined, 5, {}, ['https://a.example']])('refuses %j', (value) => {
    expect(parseWebUrl(value)).toBeUndefined();
  });
});
