import type { Identifiers } from './identifiers.js';
import type { MockInternalWallet } from './state.js';

const SOLANA_EXAMPLE = 'So11111111111111111111111111111111111111112';

function depositAddress(ids: Identifiers, network: string): string {
  if (network === 'xrp') return `r${ids.hex(33).replaceAll('0', 'z')}`;
  return network === 'solana' ? SOLANA_EXAMPLE : ids.evmAddress();
}

/** Returns a new custodial wallet. Wallets on Solana share one deposit address. */
export function newInternalWallet(
  ids: Identifiers,
  network: string,
  currency: string,
  balance = '0',
): MockInternalWallet {
  return {
    id: ids.uuid(),
    balance,
    currency,
    network,
    address: depositAddress(ids, network),
    addressMemo: network === 'xrp' ? ids.digits(9) : null,
    addressId: ids.uuid(),
  };
}
