import type { AccountRole, SolanaInstruction } from '../instruction.js';

/** An address in the type of @solana/kit: a string that carries its brand. */
export type KitAddress = string & {
  readonly '__brand:@solana/kit': 'Address';
  readonly '__stringEncoding:@solana/kit': 'base58';
};

/** An instruction in the type of @solana/kit, without an import of it. */
export type KitInstruction = {
  readonly programAddress: KitAddress;
  readonly accounts: readonly { readonly address: KitAddress; readonly role: AccountRole }[];
  readonly data: Uint8Array;
};

/**
 * Returns the instruction in the type of @solana/kit. The object stays the same; only its type
 * changes, without an import of that library.
 *
 * @example
 * ```ts
 * import { buildSolanaRevoke } from 'card-platform-sdk/solana';
 * import { toKitInstruction } from 'card-platform-sdk/solana/kit';
 *
 * const instruction = toKitInstruction(
 *   buildSolanaRevoke({
 *     owner: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
 *     mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
 *   }),
 * );
 * ```
 */
export function toKitInstruction(instruction: SolanaInstruction): KitInstruction {
  return instruction as KitInstruction;
}
