import { targetOrigin } from '../response/redirect-target.js';
import type { Host } from './runtime.js';

/** Decodes percent-encoded text, and leaves escapes that are not UTF-8. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes.toUpperCase();
    }
  });
}

/** Origin, path and query. The URL of a response has no fragment, or one that names the same response. */
const PARTS = /^([^/?#]*\/\/[^/?#]*)([^?#]*)([^#]*)/;

/** Whether two URLs are the same. A native network spells one its own way: OkHttp sends `'` as `%27`. */
function isSameUrl(one: string, other: string): boolean {
  if (one === other) return true;
  // Decoded part by part, so that an encoded slash or question mark separates nothing.
  const parts = (url: string) => {
    const [, origin = '', path = '', query = ''] = PARTS.exec(url) ?? [];
    return [origin.toLowerCase(), decoded(path), decoded(query)].join('\n');
  };
  return parts(one) === parts(other);
}

/**
 * Finds out whether a `fetch` followed a redirect although it was told not to. React Native's does,
 * and only the URL of the response shows it: `redirected` is undefined.
 *
 * @returns the origin of the target, where it is known; `undefined` where none was followed
 */
export function redirectFollowed(
  response: Response,
  requestUrl: string,
  host: Host,
): { origin: string | undefined } | undefined {
  const { url, redirected } = response as Partial<Response>;
  // A fetch that reports redirects and has followed none may have asked a proxy at another URL.
  if (redirected === false && host !== 'react-native') return undefined;
  // A response that was made in memory has no URL.
  const isElsewhere = typeof url === 'string' && url !== '' && !isSameUrl(url, requestUrl);
  if (redirected !== true && !isElsewhere) return undefined;
  return { origin: typeof url === 'string' ? targetOrigin(url, requestUrl) : undefined };
}
