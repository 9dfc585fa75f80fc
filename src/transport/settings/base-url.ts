import { dropTrailing } from '../../contract/formats/trailing.js';
import { isLoopbackHost, parseWebUrl } from '../../contract/formats/url.js';
import { ConfigurationError } from '../../errors/index.js';

function refuse(rule: string): never {
  throw new ConfigurationError('baseUrl', `baseUrl ${rule}.`);
}

const HAS_USER = /^https?:\/\/[^/?#]*@/i;
/** A path that no runtime spells differently: the paths of calls are appended to it. */
const PATH = /^(?:\/(?!(?:\.|%2e){1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})*)+$/i;

/**
 * Checks the URL that all credentials go to, and returns it without a trailing slash. The error never
 * contains the URL, because it may hold credentials.
 *
 * @throws ConfigurationError when it is not https (or http on a loopback host), or holds more than
 *   scheme, host, port and path
 */
export function requireBaseUrl(baseUrl: unknown): string {
  const text = typeof baseUrl === 'string' && !/[\s\\\p{Cc}]/u.test(baseUrl) ? baseUrl : '';
  if (HAS_USER.test(text)) refuse('must not hold a user name or password');
  const url = parseWebUrl(text);
  if (url === undefined) {
    return refuse(
      /^[a-z][a-z\d+.-]*:\/\/\w/i.test(text) && !/^https?:/i.test(text)
        ? 'must be https (http only on a loopback host)'
        : 'must be an absolute URL, for example https://api.example.com',
    );
  }
  if (url.scheme !== 'https' && !isLoopbackHost(url.host)) {
    refuse('must be https (http only on a loopback host)');
  }
  if (/[?#]/.test(text)) refuse('must not hold a query or fragment');
  if (!PATH.test(url.path)) {
    refuse('must have a path of plain ASCII, percent-encoded where needed, without . and .. in it');
  }
  return dropTrailing(`${url.origin}${url.path}`, '/');
}
