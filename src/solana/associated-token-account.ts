import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase58 } from '../contract/formats/base58.js';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  addressBytes,
  requireTokenProgram,
  TOKEN_PROGRAM,
} from './addresses.js';
import { isOnCurve } from './ed25519-curve.js';

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
