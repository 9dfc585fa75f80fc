import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** Which hosts and pages may use the sandbox, in addition to those of this machine. */
export type AccessSettings = {
  /** Host names and addresses without a port. */
  hosts?: readonly string[] | undefined;
  /** Origins of pages, such as `capacitor://localhost`. */
  origins?: readonly string[] | undefined;
};

/** Decides about requests by the headers that browsers set and pages cannot change. */
export type Access = {
  /**
   * Returns whether the `Host` header of a request is this machine or an allowed host. A website
   * whose domain points at this machine (DNS rebinding) sends its own domain instead.
   */
  isForAllowedHost: (headers: IncomingHttpHeaders) => boolean;
  /** Returns the origin of the page that sends the request, if it may read the responses. */
  allowedOrigin: (headers: IncomingHttpHeaders) => string | undefined;
  /** Returns whether a page that is not allowed sends the request. */
  isFromForeignPage: (headers: IncomingHttpHeaders) => boolean;
  /**
   * Returns whether another site makes a browser send the request without an `Origin`, as an image or
   * a frame does. Opening a link is allowed.
   */
  isCrossSite: (request: Pick<IncomingMessage, 'method' | 'headers'>) => boolean;
};

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];
const HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/;
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/;

/** Returns a host as it stands in URLs, in lower case. `undefined` for anything that is not a host. */
export function parseHost(text: string): string | undefined {
  // An address with a zone, such as fe80::1%eth0, cannot be part of a URL.
  if (isIPv6(text)) return text.includes('%') ? undefined : new URL(`http://[${text}]/`).hostname;
  const name = text.toLowerCase();
  const isName = HOST.exec(name)?.[1] === name && !name.split('.').includes('');
  // Numbers such as 0x7f.1 have another spelling in URLs.
  return isName && URL.canParse(`http://${name}/`) && new URL(`http://${name}/`).hostname === name
    ? name
    : undefined;
}

/** Returns an origin as browsers send it. `undefined` for anything that is not an origin. */
export function parseOrigin(text: string): string | undefined {
  const lower = text.toLowerCase();
  if (!ORIGIN.test(lower) || !URL.canParse(lower)) return undefined;
  const { origin } = new URL(lower);
  return origin === 'null' ? lower : origin;
}

/**
 * Returns whether a request has more than one `Host`. Node keeps the first of them, and something in
 * front of it may have checked another one.
 */
export const isHostRepeated = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length > 1;

const isOpenedLink = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>) =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

/** Creates the access control of a sandbox. */
export function createAccess({ hosts = [], origins = [] }: AccessSettings): Access {
  const allowedHosts = new Set([...THIS_MACHINE, ...hosts]);
  const allowedOrigins = new Set(origins);
  const isAllowed = (host: string | undefined) => {
    const name = HOST.exec(host?.toLowerCase() ?? '')?.[1];
    return name !== undefined && allowedHosts.has(name);
  };
  const allowedOrigin = ({ origin }: IncomingHttpHeaders) => {
    if (origin === undefined || allowedOrigins.has(origin)) return origin;
    const [scheme, host] = origin.split('://');
    return /^https?$/.test(scheme ?? '') && isAllowed(host) ? origin : undefined;
  };
  return {
    isForAllowedHost: ({ host }) => isAllowed(host),
    allowedOrigin,
    isFromForeignPage: (headers) =>
      headers.origin !== undefined && allowedOrigin(headers) === undefined,
    isCrossSite: (request) => {
      const { headers } = request;
      if (headers.origin !== undefined) return allowedOrigin(headers) === undefined;
      const site = headers['sec-fetch-site'] ?? 'none';
      return site !== 'same-origin' && site !== 'none' && !isOpenedLink(request);
    },
  };
}
