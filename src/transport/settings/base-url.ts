import { dropTrailing } from '../../contract/formats/trailing.js';
import { isLoopbackHost, parseUrl } from '../../contract/formats/url.js';
import { ConfigurationError } from '../../errors/index.js';

function refuse(rule: string): never {
  throw new ConfigurationError('baseUrl', `baseUrl ${rule}.`);
}

/**
 * Checks the URL that all credentials go to, and returns it without a trailing slash. The error never
 * contains the URL, because it may hold credentials.
 *
 * @throws ConfigurationError when it is not https (or http on a loopback host), or holds more than
 *   scheme, host, port and path
 */
export function requireBaseUrl(baseUrl: unknown): string {
  const isText = typeof baseUrl === 'string' && !/[\s\\\p{Cc}]/u.test(baseUrl);
  const url = isText ? parseUrl(baseUrl) : undefined;
  if (!isText || url === undefined) {
    return refuse('must be an absolute URL, for example https://api.example.com');
  }
  const isLoopback = url.protocol === 'http:' && isLoopbackHost(url.hostname);
  if (url.protocol !== 'https:' && !isLoopback) {
    refuse('must be https (http only on a loopback host)');
  }
  if (url.username !== '' || url.password !== '') refuse('must not hold a user name or password');
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(baseUrl)) {
    refuse('must not hold a query or fragment');
  }
  return dropTrailing(`${url.origin}${url.pathname}`, '/');
}
