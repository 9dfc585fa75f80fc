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

/** The origin of an extension of Chromium. Its id consists of 32 letters. */
export const EXTENSION = /^chrome-extension:\/\/[a-p]{32}$/;

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}

/** The origins that a request may come from, and its hosts. */
function expectedOf(headers: Headers, url: URL, { origins }: SiteRules) {
  // Next.js puts its own host into the URL. No page can change the Host header of a browser.
  const hosts = [...new Set([url.host, headers.get('host') ?? url.host])];
  return { hosts, origins: origins ?? hosts.map((host) => `${url.protocol}//${host}`) };
}

function isExpectedOrigin(origin: string, headers: Headers, url: URL, rules: SiteRules): boolean {
  const { hosts, origins } = expectedOf(headers, url, rules);
  if (origins.includes(origin)) return true;
  // Behind a server that ends TLS, the scheme of the request differs from the page's.
  return (
    rules.origins === undefined &&
    headers.get('sec-fetch-site') === 'same-origin' &&
    hosts.includes(hostOf(origin) ?? '')
  );
}

/** The text of a header that shows an origin, if it has the form of one. */
const shownOrigin = (origin: string) =>
  /^https?:\/\/[\w.:[\]-]{1,260}$/.test(origin) ? origin : 'another origin';

/** A refusal whose message is for the page and, as an error, for the log of the server. */
const refusal = (reason: 'cross_site' | 'origin_missing', message: string) =>
  new Refusal(reason, message, {}, new Error(message));

/** A browser says `none` for a request of an extension that has permission for the host. */
function refuseExtension(origin: string, site: string | null, { origins = [] }: SiteRules): void {
  if (!origins.includes(origin)) {
    throw refusal(
      'cross_site',
      `The request comes from the browser extension ${origin}. If it is yours, list this origin, and those of your pages, in the option origins of createCardProxy.`,
    );
  }
  if (site !== null && site !== 'none') {
    throw refusal(
      'cross_site',
      `The browser extension ${origin} has no permission for this host: add the host to host_permissions in its manifest.`,
    );
  }
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
  if (origin !== null && EXTENSION.test(origin)) {
    refuseExtension(origin, site, rules);
    return;
  }
  // `none`: the user typed the address.
  const isAllowedSite = site === null || site === 'same-origin' || (site === 'none' && !isWrite);
  const expected = expectedOf(headers, url, rules).origins.join(' or ');
  if (!isAllowedSite) {
    const from = origin === null ? 'another site' : shownOrigin(origin);
    const own = expectedOf(headers, url, { ...rules, origins: undefined }).origins.join(' or ');
    throw refusal(
      'cross_site',
      `The request comes from ${from}, and the browser says that the proxy is on another origin (expected: ${own}). Let the page call its own origin. No option allows other sites.`,
    );
  }
  if (origin !== null && !isExpectedOrigin(origin, headers, url, rules)) {
    throw refusal(
      'cross_site',
      `The request comes from ${shownOrigin(origin)}, but the proxy expects ${expected}. If that is your page, a server in between has changed the Host header: list the origin of the page in the option origins of createCardProxy.`,
    );
  }
  if (isWrite && site === null && origin === null && !rules.allowMissingOrigin) {
    throw refusal(
      'origin_missing',
      `The request has neither Sec-Fetch-Site nor Origin, so it does not show which page it comes from (expected: ${expected}). For apps and scripts, set the option allowMissingOrigin of createCardProxy.`,
    );
  }
}
