import { isSolanaAddress } from '../../contract/formats/base58.js';
import { isDecimalCount } from '../../contract/formats/decimal.js';
import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { isObject } from '../../contract/formats/is-object.js';

/** The network, as the service names it. */
export const SOLANA_NETWORK = 'solana';

/** A token that the service can spend on Solana, as its chain configuration describes it. */
export type SolanaChainToken = {
  /** The currency in lower case, as the flow's options expect it. */
  readonly currency: string;
  /** The mint's address. */
  readonly mint: string;
  /** The mint's decimals. */
  readonly decimals: number;
  /** The key that may spend. */
  readonly spender: string;
  /** The environment, where the configuration names one. */
  readonly environment?: string;
};

/** An entry of the chain configuration that cannot be used. */
export type SkippedSolanaToken = {
  /** The currency in lower case; absent if the whole network is skipped. */
  readonly currency?: string;
  /** The environment, where the configuration names one. */
  readonly environment?: string;
  /** The reason why it cannot be used. */
  readonly reason: string;
};

/** The Solana tokens of a chain configuration. */
export type SolanaTokenTable = {
  /** The tokens that the flow can use. */
  readonly tokens: readonly SolanaChainToken[];
  /** The entries that it cannot use, and why. */
  readonly skipped: readonly SkippedSolanaToken[];
};

/** The address of 32 zeros, which a service may write where it has no delegate. */
const NOBODY = '1'.repeat(32);

type Read<T> = T | { readonly reason: string };

/**
 * Reads the Solana tokens of a chain configuration. Nothing in it is trusted: each value is checked,
 * and entries that cannot be used are listed with the reason.
 */
export function readTokenTable(config: unknown): SolanaTokenTable {
  const { networks } = Object(config) as { networks?: unknown };
  const entries = (Array.isArray(networks) ? networks : []).filter(isSolana);
  const tables = entries.map(readEntry);
  return {
    tokens: tables.flatMap(({ tokens }) => tokens),
    skipped: tables.flatMap(({ skipped }) => skipped),
  };
}

function isSolana(entry: unknown): entry is Record<string, unknown> {
  return isObject(entry) && equalsIgnoringCase(entry['network'], SOLANA_NETWORK);
}

function readEntry(entry: Record<string, unknown>): SolanaTokenTable {
  const { environment, delegationContract: delegate, tokens } = entry;
  const where = typeof environment === 'string' ? { environment } : {};
  if (!isSolanaAddress(delegate) || delegate === NOBODY) {
    return { tokens: [], skipped: [{ ...where, reason: 'it has no delegate for Solana' }] };
  }
  if (!isObject(tokens)) {
    return { tokens: [], skipped: [{ ...where, reason: 'it has no tokens for Solana' }] };
  }
  const usable: SolanaChainToken[] = [];
  const skipped: SkippedSolanaToken[] = [];
  for (const [code, token] of Object.entries(tokens)) {
    const currency = code.toLowerCase();
    const found = readToken(token, delegate);
    if ('reason' in found) skipped.push({ ...where, currency, reason: found.reason });
    else usable.push({ ...where, currency, ...found, spender: String(delegate) });
  }
  return { tokens: usable, skipped };
}

function readToken(token: unknown, delegate: unknown): Read<{ mint: string; decimals: number }> {
  const { address, decimals } = Object(token) as { address?: unknown; decimals?: unknown };
  if (!isSolanaAddress(address)) return { reason: 'its token address is not a Solana address' };
  if (address === delegate) return { reason: 'its delegate is the token itself' };
  const count = readDecimals(decimals);
  if (count === undefined) return { reason: 'its decimals are not a whole number from 0 to 255' };
  return { mint: String(address), decimals: count };
}

/** Some services write the number as a string. */
function readDecimals(decimals: unknown): number | undefined {
  const isText = typeof decimals === 'string' && /^\d{1,3}$/.test(decimals);
  const count = isText ? Number(decimals) : decimals;
  return isDecimalCount(count) ? Number(count) : undefined;
}

/**
 * Returns the Solana tokens of a chain configuration: mint, decimals and delegate of each currency,
 * in the form that `delegateSolana` accepts, and the entries that cannot be used, with the reason.
 * An unusable configuration is not an error. Do not present the delegate as trusted before you have
 * compared it with the one you know.
 *
 * @param config the result of `client.delegation.chainConfig()` (a preview endpoint)
 *
 * @example
 * ```ts
 * import type { CardPlatformClient } from 'card-platform-sdk';
 * import { solanaTokensFromChainConfig } from 'card-platform-sdk/solana';
 *
 * async function usdcOf(client: CardPlatformClient) {
 *   const config = await client.delegation.chainConfig();
 *   const { tokens } = await solanaTokensFromChainConfig(config);
 *   return tokens.find(({ currency }) => currency === 'usdc');
 * }
 * ```
 */
export async function solanaTokensFromChainConfig(config: unknown): Promise<SolanaTokenTable> {
  return readTokenTable(config);
}
