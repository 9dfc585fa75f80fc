import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase58 } from '../contract/formats/base58.js';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  addressBytes,
  requireTokenProgram,
  TOKEN_PROGRAM,
} from './addresses.js';
import { littleEndian } from './instruction.js';

const PRIME = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Whether 32 bytes are a point of the curve ed25519, so that a private key could belong to them.
 * A program derived address must not be one.
 *
 * On the curve, x² = (y² - 1) / (d·y² + 1); by Euler's criterion that quotient is a square exactly
 * when the product of numerator and denominator is.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const y = littleEndian(bytes) % 2n ** 255n;
  const square = y * y;
  return power(((square - 1n) * (D * square + 1n)) % PRIME, (PRIME - 1n) / 2n) <= 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let rest = exponent, factor = base; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % PRIME;
    factor = (factor * factor) % PRIME;
  }
  return result;
}

/** The owner and mint of a token account. */
export type TokenAccountOwner = {
  /** The wallet's address. */
  owner: string;
  /** The mint's address. */
  mint: string;
  /** The program that the mint belongs to. Default: the SPL-Token program. */
  programAddress?: string | undefined;
};

/**
 * Returns the address of a wallet's associated token account, the default account for its tokens of
 * a mint.
 *
 * @throws RequestValidationError when an address is not base58 of 32 bytes, or `programAddress` is not
 * a token program.
 *
 * @example
 * ```ts
 * import { associatedTokenAccount, SOLANA_CURRENCIES } from 'card-platform-sdk/solana';
 *
 * const account = associatedTokenAccount({
 *   owner: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
 *   mint: SOLANA_CURRENCIES.usdc.mint,
 * });
 * ```
 */
export function associatedTokenAccount(of: TokenAccountOwner): string {
  const { owner, mint, programAddress = TOKEN_PROGRAM }: TokenAccountOwner = Object(of);
  const seeds = [
    ...addressBytes(owner, 'owner'),
    ...addressBytes(requireTokenProgram(programAddress), 'programAddress'),
    ...addressBytes(mint, 'mint'),
  ];
  const key = seeds.join();
  if (newest.key !== key) newest = { key, address: derive(seeds) };
  return newest.address;
}

/** The address that was derived last: each read of a flow needs the same one. */
let newest = { key: '', address: '' };

function derive(seeds: readonly number[]): string {
  const suffix = [
    ...addressBytes(ASSOCIATED_TOKEN_PROGRAM, 'program'),
    ...new TextEncoder().encode('ProgramDerivedAddress'),
  ];
  // The chain defines the address by the highest bump whose hash is off the curve: about one hash
  // in two is, so that the search ends after a few steps.
  for (let bump = 255; ; bump--) {
    const address = sha256(Uint8Array.from([...seeds, bump, ...suffix]));
    if (!isOnCurve(address)) return encodeBase58(address);
  }
}
