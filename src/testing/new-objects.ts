import { sha512_256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import type { AddressFormat } from '../contract/lists.js';
import { hasFormat } from '../contract/recipients.js';
import { requireKnownOptions } from './check-options.js';
import type { MockClock } from './clock.js';
import type { Identifiers } from './identifiers.js';
import { requireBalance } from './money.js';
import type { MockCard, MockExternalWallet, MockInternalWallet, MockUser } from './state.js';

/** Returns a new card that expires in January, four years ahead. */
export function newCard(
  ids: Identifiers,
  clock: MockClock,
  user: MockUser,
  card: Pick<MockCard, 'status' | 'type' | 'activeAt'>,
): MockCard {
  return {
    id: ids.uuid(),
    expiryDate: `${new Date(clock.now()).getUTCFullYear() + 4}/01`,
    panLast4: ids.digits(4),
    pin: ids.digits(4),
    orderedAt: clock.iso(),
    cardAddedToDigitalWallet: false,
    holderName: holderNameOf(user),
    ...card,
  };
}

/** Returns the name on a user's card, in upper case. */
function holderNameOf({ profile, email }: MockUser): string {
  const name = [profile['firstName'], profile['lastName']].filter(Boolean).join(' ');
  return (name || email.split('@')[0] || '').toUpperCase();
}

const SOLANA_EXAMPLE = 'So11111111111111111111111111111111111111112';

function base32(bytes: readonly number[]): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  const letterOf = (group: string) => Number.parseInt(group.padEnd(5, '0'), 2);
  return groups.map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[letterOf(group)]).join('');
}

/** CRC-16/XMODEM, the checksum of Stellar. */
function crc16(bytes: readonly number[]): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}

/** Addresses as networks write them, with valid checksums where they are cheap. */
const ADDRESSES: Readonly<Record<string, (ids: Identifiers) => string>> = {
  evm: (ids) => ids.evmAddress(),
  solana: () => SOLANA_EXAMPLE,
  xrp: (ids) => `r${ids.hex(33).replaceAll('0', 'z')}`,
  stellar(ids) {
    const payload = [6 << 3, ...hexToBytes(ids.hex(64))];
    const crc = crc16(payload);
    return base32([...payload, crc & 0xff, crc >> 8]);
  },
  algorand(ids) {
    const key = hexToBytes(ids.hex(64));
    return base32([...key, ...sha512_256(key).slice(-4)]);
  },
};

const HAS_MEMOS = ['xrp', 'stellar'];

/** Returns a deposit address. For a network with a format of its own, one that the format accepts. */
function depositAddress(ids: Identifiers, network: string, format: AddressFormat | undefined) {
  const make = Object.hasOwn(ADDRESSES, network) ? ADDRESSES[network] : undefined;
  if (format === undefined) return (make ?? ADDRESSES['evm'])?.(ids) ?? '';
  const position = ids.state;
  for (const candidate of [...(make ? [make] : []), ...Object.values(ADDRESSES)]) {
    ids.set(position);
    const address = candidate(ids);
    if (hasFormat(format, address)) return address;
  }
  throw new TypeError(`wallets: pass an address, because none of ours is one of ${network}`);
}

/** What a test sets of a new wallet. */
type Given = { balance?: string | undefined; address?: string | undefined } & {
  addressMemo?: string | null | undefined;
};

/** Returns a new custodial wallet. Wallets on Solana share one deposit address. */
export function newInternalWallet(
  ids: Identifiers,
  network: string,
  currency: string,
  format?: AddressFormat,
  given: Given = {},
): MockInternalWallet {
  const { balance = '0', address, addressMemo } = given;
  const hasMemos = format?.hasMemos ?? HAS_MEMOS.includes(network);
  return {
    id: ids.uuid(),
    balance,
    currency,
    network,
    address: address ?? depositAddress(ids, network, format),
    addressMemo: addressMemo === undefined ? (hasMemos ? ids.digits(9) : null) : addressMemo,
    addressId: ids.uuid(),
  };
}

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

/** Returns an external wallet with the given properties. */
export function newExternalWallet(ids: Identifiers, given: NewExternalWallet): MockExternalWallet {
  const known = ['network', 'currency', 'address', 'balance', 'allowance'];
  requireKnownOptions('externalWallets', given, known);
  const { network = 'linea', currency = 'usdc', balance = '0', allowance = '0' } = given;
  requireBalance('externalWallets: balance', balance);
  requireBalance('externalWallets: allowance', allowance);
  const { address = network === 'solana' ? ids.solanaAddress() : ids.evmAddress() } = given;
  return { address, currency, balance, allowance, network };
}
