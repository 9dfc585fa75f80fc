import type { ApiError } from './api-error.js';

/**
 * Whether an error response is the service's own answer: no page of a server in front of it, and, unless it
 * is a 401, not an empty one, which a firewall also sends.
 */
export function isOwnAnswer({ status, isPage, body, serverMessage }: ApiError): boolean {
  return !isPage && (status === 401 || body !== undefined || serverMessage !== undefined);
}
