import { invalid } from './invalid.js';

/**
 * Refuses a domain that is not the page's own: wallets warn of such a message, and rightly so.
 * Where there is no page nothing can be compared.
 */
export function checkDomain(domain: string, pageHost = globalThis.location?.host): void {
  if (pageHost && domain !== pageHost) invalid('domain', 'is not the host of this page');
}
