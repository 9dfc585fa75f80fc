import { parseWebUrl } from '../../contract/formats/url.js';
import { requireLoopback } from '../../testing/loopback.js';
import { UsageError } from '../usage-error.js';

/**
 * Returns the URL to send signed events to: on this machine, or on a host that was allowed.
 *
 * @throws UsageError for any other URL
 */
export function receiverUrl(to: string | undefined, allowedHosts: readonly string[]): string {
  const url = parseWebUrl(to);
  if (to === undefined || url === undefined)
    throw new UsageError('--to must be an http or https URL');
  if (allowedHosts.some((host) => host.toLowerCase() === url.host)) return to;
  try {
    return requireLoopback(to);
  } catch {
    throw new UsageError('--to must be an http URL on this machine, or on a host of --allow-host');
  }
}
