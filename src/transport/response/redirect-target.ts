import { parseWebUrl } from '../../contract/formats/url.js';

/**
 * Returns the origin that a redirect leads to, and nothing else of its target, which may hold
 * secrets. `undefined` where it is not an http or https URL.
 *
 * @param location - absolute, or relative to `base`
 */
export function targetOrigin(location: string, base: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(location)) return undefined;
  const own = parseWebUrl(base);
  // `URL` reads a backslash as a slash.
  const absolute = /^[/\\]{2}/.test(location) ? `${own?.scheme}://${location.slice(2)}` : location;
  if (!/^[a-z][a-z\d+.-]*:/i.test(absolute)) return own?.origin;
  const [start = ''] = /^https?:\/\/[^/?#\\]*/i.exec(absolute) ?? [];
  // A user name may precede the host.
  const slashes = start.indexOf('//') + 2;
  const host = start.slice(Math.max(slashes, start.lastIndexOf('@') + 1));
  return parseWebUrl(start.slice(0, slashes) + host)?.origin;
}
