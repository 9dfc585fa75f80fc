import { invalid } from '../delegation/check-values.js';
import { addressBytes, requireTokenProgram, TOKEN_PROGRAM } from './addresses.js';
import { associatedTokenAccount, type TokenAccountOwner } from './associated-token-account.js';
import { AccountRole, account, type SolanaInstruction, u64 } from './instruction.js';

/** The highest limit; more must be requested as `'unlimited'`. */
export const LARGEST_LIMIT = 2n ** 63n;
const UNLIMITED = 2n ** 64n - 1n;

const REVOKE = 5;
const APPROVE_CHECKED = 13;

/** The token account of an instruction. */
export type TokenAccountInput = TokenAccountOwner & {
  /** The token account. Default: the owner's associated token account of the mint. */
  tokenAccount?: string | undefined;
};

/** A spending limit: who may spend how much from which token account. */
export type SolanaSpendingLimit = TokenAccountInput & {
  /** The key that may spend: the platform's. There is no default. */
  spender: string;
  /**
   * The spending limit in base units (`1500000n` is 1.5 USDC), above zero and at most 2^63; or
   * `'unlimited'`, which must be requested explicitly.
   */
  amount: bigint | 'unlimited';
  /** The mint's decimals, 0 to 255. The chain refuses the approval when they are wrong. */
  decimals: number;
};

/**
 * Builds the SPL-Token instruction `ApproveChecked`: the delegate may spend up to the amount from the
 * owner's token account, until it is spent, replaced or revoked.
 *
 * A token account has one delegate, so an approval replaces the current one. Check with
 * `readDelegation` first.
 *
 * @throws RequestValidationError when an address, the amount or the decimals are invalid.
 *
 * @example
 * ```ts
 * import { buildSolanaApproval, SOLANA_CURRENCIES } from 'card-platform-sdk/solana';
 *
 * const instruction = buildSolanaApproval({
 *   ...SOLANA_CURRENCIES.usdc,
 *   owner: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
 *   spender: '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp',
 *   amount: 100_000_000n,
 * });
 * ```
 */
export function buildSolanaApproval(input: SolanaSpendingLimit): SolanaInstruction {
  const { owner, mint, spender, decimals }: SolanaSpendingLimit = Object(input);
  if (addressBytes(spender, 'spender').every((byte) => byte === 0) || spender === owner) {
    invalid('spender', 'must not be the zero address or the owner');
  }
  checkDecimals(decimals);
  return {
    programAddress: requireTokenProgram(input.programAddress ?? TOKEN_PROGRAM),
    accounts: [
      account(tokenAccountOf(input), AccountRole.writable),
      account(mint, AccountRole.readonly),
      account(spender, AccountRole.readonly),
      account(owner, AccountRole.readonlySigner),
    ],
    data: Uint8Array.from([APPROVE_CHECKED, ...u64(checkedAmount(input.amount)), decimals]),
  };
}

/** Checks the decimals of a mint, which are one byte on the chain. */
export function checkDecimals(decimals: unknown): void {
  if (!(Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= 255)) {
    invalid('decimals', 'must be a whole number from 0 to 255');
  }
}

/**
 * Builds the SPL-Token instruction `Revoke`: only the owner may spend from the token account.
 *
 * @throws RequestValidationError when an address is invalid.
 *
 * @example
 * ```ts
 * import { buildSolanaRevoke, SOLANA_CURRENCIES } from 'card-platform-sdk/solana';
 *
 * const instruction = buildSolanaRevoke({
 *   owner: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
 *   mint: SOLANA_CURRENCIES.usdc.mint,
 * });
 * ```
 */
export function buildSolanaRevoke(input: TokenAccountInput): SolanaInstruction {
  // First, because it refuses an input that is not an object.
  const tokenAccount = tokenAccountOf(input);
  return {
    programAddress: requireTokenProgram(input.programAddress ?? TOKEN_PROGRAM),
    accounts: [
      account(tokenAccount, AccountRole.writable),
      account(input.owner, AccountRole.readonlySigner),
    ],
    data: Uint8Array.of(REVOKE),
  };
}

/** The token account that an input names, or the default one of its owner and mint. */
export function tokenAccountOf(input: TokenAccountInput): string {
  const derived = associatedTokenAccount(input);
  if (input.tokenAccount === undefined) return derived;
  addressBytes(input.tokenAccount, 'tokenAccount');
  return input.tokenAccount;
}

function checkedAmount(amount: bigint | 'unlimited'): bigint {
  if (amount === 'unlimited') return UNLIMITED;
  if (typeof amount === 'bigint' && amount > 0n && amount <= LARGEST_LIMIT) return amount;
  return invalid('amount', "must be a bigint from 1 to 2^63 base units, or 'unlimited'");
}
