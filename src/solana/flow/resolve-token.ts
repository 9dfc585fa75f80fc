import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import {
  chainConfigUnusable,
  loadChainConfig,
  spenderNotConfirmed,
} from '../../delegation/chain-config.js';
import type { ChainError } from '../../delegation/chain-error.js';
import { invalid } from '../../delegation/check-values.js';
import { SOLANA_CURRENCIES, type SolanaCurrency } from '../addresses.js';
import { readTokenTable, type SolanaChainToken, type SolanaTokenTable } from './chain-config.js';
import type { SolanaDelegationOptions } from './options.js';

/** What the caller can leave to the service: which token, and who may spend it. */
export type Resolved = { readonly spender: string; readonly token: SolanaCurrency };

const CHAIN_CONFIG = 'chain-config';

/** Returns the caller's spender and token, or the service's where the caller asks for them. */
export async function resolveToken(options: SolanaDelegationOptions): Promise<Resolved> {
  const { spender, token } = options;
  if (spender !== CHAIN_CONFIG && token !== CHAIN_CONFIG) {
    return { spender, token: token ?? knownToken(options) };
  }
  if (spender === CHAIN_CONFIG && typeof options.confirmSpender !== 'function') {
    return invalid('confirmSpender', 'is missing: confirm who may spend, or pass the spender');
  }
  const found = findToken(readTokenTable(await loadChainConfig(options)), options);
  const own = token === CHAIN_CONFIG ? found : (token ?? knownToken(options));
  // Both sides must know the same token and spender: a limit on others would be useless.
  if (own.mint !== found.mint) throw unusable('it has another mint');
  if (own.decimals !== found.decimals) throw unusable('it has other decimals');
  if (spender !== CHAIN_CONFIG) {
    if (spender !== found.spender) throw unusable('it has another spender');
  } else if ((await options.confirmSpender?.(found.spender, { ...found })) !== true) {
    throw spenderNotConfirmed('confirmSpender', 'spender');
  }
  return { spender: found.spender, token: own };
}

function knownToken({ currency }: SolanaDelegationOptions): SolanaCurrency {
  return currency === 'usdc' || currency === 'usdt'
    ? SOLANA_CURRENCIES[currency]
    : invalid('currency', 'is not usdc or usdt: describe it with token');
}

function findToken(
  { tokens, skipped }: SolanaTokenTable,
  { currency, environment }: SolanaDelegationOptions,
): SolanaChainToken {
  const isAsked = (entry: { currency?: string; environment?: string }) =>
    (entry.currency === undefined || equalsIgnoringCase(currency, entry.currency)) &&
    (environment === undefined || equalsIgnoringCase(environment, entry.environment ?? ''));
  const [first, ...others] = tokens.filter(isAsked);
  if (first === undefined) throw unusable(skipped.find(isAsked)?.reason ?? 'it has no such token');
  const identify = ({ mint, decimals, spender }: SolanaChainToken) =>
    [mint, decimals, spender].join(' ');
  if (others.some((other) => identify(other) !== identify(first))) {
    throw unusable('it has several such tokens: pass the environment');
  }
  return first;
}

function unusable(detail: string): ChainError {
  return chainConfigUnusable(detail, 'the spender and the token');
}
