import { encodeBase58 } from '../contract/formats/base58.js';
import type { Identifiers } from './identifiers.js';
import { requireKnownOptions } from './known-options.js';
import type { MockExternalWallet } from './state.js';

/** A wallet that belongs to the user, registered by delegation. Everything has a default. */
export type NewExternalWallet = {
  /** Default `linea`. */
  network?: string | undefined;
  /** Default `usdc`. */
  currency?: string | undefined;
  /** Default: a new address of the network. */
  address?: string | undefined;
  /** A decimal string. Default `0`. */
  balance?: string | undefined;
  /** How much of it the card may spend, a decimal string. Default `0`. */
  allowance?: string | undefined;
};

function newSolanaAddress(ids: Identifiers): string {
  const bytes = ids.hex(64).match(/../g) ?? [];
  return encodeBase58(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}

/** Returns an external wallet with the given properties. */
export function newExternalWallet(ids: Identifiers, given: NewExternalWallet): MockExternalWallet {
  const known = ['network', 'currency', 'address', 'balance', 'allowance'];
  requireKnownOptions('externalWallets', given, known);
  const { network = 'linea', currency = 'usdc', balance = '0', allowance = '0' } = given;
  const { address = network === 'solana' ? newSolanaAddress(ids) : ids.evmAddress() } = given;
  return { address, currency, balance, allowance, network };
}
