import { parseWebUrl } from '../contract/formats/url.js';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Returns a URL on this machine.
 *
 * @throws Error for any other URL: a test must not send signed events to a stranger
 */
export function requireLoopback(to: string): string {
  const url = parseWebUrl(to);
  if (url?.scheme === 'http' && LOOPBACK.test(url.host)) return to;
  throw new Error(
    'deliveries are sent to an http URL on this machine only, such as http://127.0.0.1:3000/',
  );
}
