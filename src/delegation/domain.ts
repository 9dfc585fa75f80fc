import { invalid } from './invalid.js';

/**
 * Rejects a domain that is not the page's own, because wallets warn of such messages. Outside a
 * page there is nothing to compare.
 */
export function checkDomain(domain: string, pageHost = globalThis.location?.host): void {
  if (pageHost && domain !== pageHost) invalid('domain', 'is not the host of this page');
}
