import { isLoopbackHost } from './url.js';

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
