// A browser runs these, reads them from the disk, or fetches them itself. They never open an app.
const REFUSED_APP_SCHEMES = new Set([
  'http:',
  'https:',
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'filesystem:',
  'ftp:',
  'ws:',
  'wss:',
  'view-source:',
  'jar:',
]);

const GROUP = /^[\da-f]{1,4}$/i;
const BYTES = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Whether a text is an IPv4 address in the one spelling that all parsers read: 4 decimal numbers. */
export function isIpv4(text: string): boolean {
  return BYTES.test(text);
}

/** Whether a text is an IPv6 address of RFC 3986, without brackets. */
export function isIpv6(text: string): boolean {
  const start = text.lastIndexOf(':') + 1;
  // An IPv4 address may stand for the last two groups.
  const whole = isIpv4(text.slice(start)) ? `${text.slice(0, start)}0:0` : text;
  const halves = whole.split('::');
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const isWhole = halves.length === 1 ? groups.length === 8 : groups.length < 8;
  return halves.length < 3 && isWhole && groups.every((group) => GROUP.test(group));
}

/** An http or https URL, read without `URL`, which React Native implements only in part. */
export type WebUrl = {
  readonly scheme: 'http' | 'https';
  /** In lower case, with the brackets of an IPv6 address. */
  readonly host: string;
  /** Scheme, host, and the port unless it is the default, as `URL` spells it. */
  readonly origin: string;
  /** As it was written; `/` where there is none. */
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly query: string;
};

const WEB_URL = /^(https?):\/\/(\[::1\]|[\w.-]{1,253})(?::(\d{1,5}))?(\/[^?#]*)?(\?[^#]*)?(?:#|$)/i;
const DEFAULT_PORT = { http: 80, https: 443 } as const;
/** `URL` reads a host with such an end as an IPv4 address, `0x7f.1` included. */
const ENDS_IN_NUMBER = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/;

/** An IPv6 address has many spellings, so only `[::1]`, this machine, is read. */
function isHost(host: string): boolean {
  if (host.startsWith('[')) return host === '[::1]';
  return ENDS_IN_NUMBER.test(host) ? isIpv4(host) : !/^\.|\.\./.test(host);
}

// The checked text must be the one that is sent, but `URL` drops tabs, line breaks and outer blanks.
function isPlain(text: unknown): text is string {
  return typeof text === 'string' && !/[\s\\\p{Cc}]/u.test(text);
}

/** The longest URL that a field takes. */
const LONGEST = 4096;

/**
 * Reads an http or https URL. Stricter than `URL`: `undefined` also for white space, backslashes,
 * missing slashes, user names and passwords, hosts that are not ASCII (write them as `xn--`),
 * numbers that stand for an address, and IPv6 addresses other than `[::1]`. `URL` reads the same
 * origin from every URL that this function accepts.
 */
export function parseWebUrl(text: unknown): WebUrl | undefined {
  const match = isPlain(text) ? WEB_URL.exec(text) : null;
  if (match === null) return undefined;
  const [, name = '', written = '', digits, path = '/', query = ''] = match;
  const scheme = name.toLowerCase() === 'https' ? 'https' : 'http';
  const host = written.toLowerCase();
  const port = Number(digits ?? DEFAULT_PORT[scheme]);
  if (!isHost(host) || port > 65_535) return undefined;
  const origin = `${scheme}://${host}${port === DEFAULT_PORT[scheme] ? '' : `:${port}`}`;
  return { scheme, host, origin, path, query };
}

/** Whether a host name is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

const HTTPS = 'https://';

/**
 * Whether a text is an https URL whose host has letters beyond ASCII. Such a host is written in
 * other letters where it is looked up, so it has no origin to compare: `parseWebUrl` refuses it.
 */
function isInternationalUrl(text: string): boolean {
  if (text.slice(0, HTTPS.length).toLowerCase() !== HTTPS) return false;
  const [host = ''] = text.slice(HTTPS.length).split(/[/?#:]/, 1);
  if (!/[^\0-\x7f]/.test(host)) return false;
  // Some characters are read as ASCII ones, such as a full-width slash or digit.
  const read = host.normalize('NFKC');
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(read)) return false;
  const ascii = read.replace(/[^\0-\x7f]/gu, 'x');
  const rest = text.slice(HTTPS.length + host.length);
  if (parseWebUrl(HTTPS + ascii + rest) === undefined) return false;
  return isParsedByRuntime(text);
}

/** Whether the runtime knows these letters of a host. React Native takes any text. */
function isParsedByRuntime(text: string): boolean {
  const { URL: Parser } = globalThis as { URL?: typeof URL };
  if (Parser === undefined) return true;
  try {
    // Not `canParse`: in Node 20 and 22 it refuses every such URL after a few thousand calls.
    return Boolean(new Parser(text));
  } catch {
    return false;
  }
}

/** Whether a text is an https URL without credentials in it. */
export function isHttpsUrl(text: string): boolean {
  if (text.length > LONGEST) return false;
  return parseWebUrl(text)?.scheme === 'https' || isInternationalUrl(text);
}

/** Whether a text is an https URL, or an http URL on a loopback host. */
export function isSecureUrl(text: string): boolean {
  if (isHttpsUrl(text)) return true;
  const url = text.length <= LONGEST ? parseWebUrl(text) : undefined;
  return url !== undefined && isLoopbackHost(url.host);
}

/** Whether a text is the name of a scheme that an app can have, for example `myapp`. */
export function isAppScheme(text: string): boolean {
  return (
    /^[a-z][a-z\d+.-]{0,63}$/i.test(text) && !REFUSED_APP_SCHEMES.has(`${text.toLowerCase()}:`)
  );
}

/** A scheme, and the host if there is one. The host has no user name. */
const APP_LINK =
  /^([a-z][a-z\d+.-]*):(?:\/\/(?:[^/?#@:<>[\]^|]+(?::(\d{1,5}))?)?(?:[/?#]|$)|(?!\/\/))/i;

/** The scheme of a link to an app, or `undefined` for anything else. */
function appSchemeOf(text: string): string | undefined {
  const [, scheme, port = 0] =
    (text.length <= LONGEST && isPlain(text) && APP_LINK.exec(text)) || [];
  const isApp = scheme !== undefined && isAppScheme(scheme) && Number(port) <= 65_535;
  return isApp ? scheme.toLowerCase() : undefined;
}

/** Whether a browser can be sent back to a URL: a secure one, or an app link like `myapp://done`. */
export function isReturnUrl(text: string): boolean {
  return isSecureUrl(text) || appSchemeOf(text) !== undefined;
}

/** Whether a browser may be sent back to a URL: a secure one, or a link with one of these schemes. */
export function isAllowedReturnUrl(text: string, schemes: readonly string[]): boolean {
  const scheme = appSchemeOf(text);
  return isSecureUrl(text) || schemes.some((allowed) => allowed.toLowerCase() === scheme);
}

const ORIGIN = /^(https?):\/\/(\[[\da-f:.]+\]|[\w.-]+)(?::([1-9]\d{0,4}))?(?![^/?#])/i;

/**
 * Returns the origin of a page that may ask a wallet for a signature: an https page, or an http page
 * on this machine. Always with its port and in lower case, so that two origins can be compared as
 * text. Returns `undefined` for any other text, one with a user name or an impossible port included.
 * Does not use `URL`, which accepts hosts that a user cannot recognise, for example `https://0x7f.1`.
 */
export function pageOrigin(url: string): string | undefined {
  const [, scheme, host = '', digits] = ORIGIN.exec(url)?.map((part) => part?.toLowerCase()) ?? [];
  const port = Number(digits ?? (scheme === 'https' ? 443 : 80));
  const isSecure = scheme === 'https' || isLoopbackHost(host);
  return isSecure && port <= 65_535 ? `${scheme}://${host}:${port}` : undefined;
}

/** Whether a text is the host of such a page as a browser shows it, with its port if it has one. */
export function isPageHost(domain: string): boolean {
  const url = `https://${domain}`;
  return pageOrigin(url)?.startsWith(url.toLowerCase()) === true;
}

/** Whether a URI is on the origin of such a page, and that page on the host and port of the domain. */
export function isPageOf(uri: string, domain: string): boolean {
  const origin = pageOrigin(uri);
  return !!origin && origin === pageOrigin(`${origin.split(':')[0]}://${domain}`);
}
