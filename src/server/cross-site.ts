import { malformed, Refusal } from './refusal.js';

/** Which pages may use a proxy. */
export type SiteRules = {
  /** The origins of the pages. `undefined`: the origin of the request itself. */
  readonly origins: readonly string[] | undefined;
  /** Whether a write needs neither `Sec-Fetch-Site` nor `Origin`. */
  readonly allowMissingOrigin: boolean;
};

/** Host and port, or an IPv6 address in brackets. */
export const HOST = /^(?:[\w.-]{1,253}|\[[\da-fA-F:.]{2,45}\])(?::\d{1,5})?$/;

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}

function isOwnOrigin(origin: string, headers: Headers, url: URL, { origins }: SiteRules): boolean {
  if (origins !== undefined) return origins.includes(origin);
  // Next.js puts its own host into the URL. No page can change the Host header of a browser.
  const hosts = [url.host, headers.get('host')];
  // Behind a server that ends TLS, the scheme of the request differs from the page's.
  return headers.get('sec-fetch-site') === 'same-origin'
    ? hosts.includes(hostOf(origin) ?? '')
    : hosts.some((host) => origin === `${url.protocol}//${host}`);
}

/**
 * Refuses a request that another site made a browser send. A browser sets `Sec-Fetch-Site` and `Origin`
 * itself, and no page can change them.
 *
 * @param isWrite - whether the operation may do more than read
 * @throws Refusal, also for a `Host` header that is repeated or malformed
 */
export function refuseOtherSites(
  headers: Headers,
  url: URL,
  isWrite: boolean,
  rules: SiteRules,
): void {
  const host = headers.get('host');
  // Two headers arrive as one with a comma. Each could be meant.
  if (host !== null && !HOST.test(host)) throw malformed('Host header');
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  // `none`: the user typed the address.
  const isOwnSite = site === null || site === 'same-origin' || (site === 'none' && !isWrite);
  if (!isOwnSite) throw new Refusal('cross_site', 'The request comes from another site.');
  if (origin !== null && !isOwnOrigin(origin, headers, url, rules)) {
    throw new Refusal('cross_site', 'The request comes from another origin.');
  }
  if (isWrite && site === null && origin === null && !rules.allowMissingOrigin) {
    throw new Refusal('origin_missing', 'The request does not show which page it comes from.');
  }
}
