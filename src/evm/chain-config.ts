import type { ChainConfig } from '../contract/delegation.js';
import { isZeroAddress } from '../contract/formats/evm-checksum.js';
import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { isObject } from '../contract/formats/is-object.js';
import { CHAIN_IDS, LISTS } from '../contract/lists.js';
import { invalid } from '../delegation/check-values.js';
import { isEvmAddress, toChecksumAddress } from './address.js';
import { EVM_NETWORKS, type EvmNetwork, type EvmToken, isEvmDecimals } from './networks.js';

/** An entry of the service's chain configuration that cannot be used on an EVM chain. */
export type SkippedChainConfig = {
  /** The network's name; `undefined` if it has none. */
  network?: string | undefined;
  /** The token's name; `undefined` if the whole network is skipped. */
  currency?: string | undefined;
  /** The reason, as part of a sentence. */
  reason: string;
};

/** The EVM networks of the service's chain configuration. */
export type EvmChainConfig = {
  /** For the option `networks` of the functions of `/evm`. */
  networks: Readonly<Record<string, EvmNetwork>>;
  /** The platform's contract on each network, for the option `spender`. */
  spenders: Readonly<Record<string, `0x${string}`>>;
  /**
   * The values that the client must accept beyond its lists: pass them as the client's option
   * `additions`.
   */
  additions: { evmNetworks: string[]; delegationCurrencies: string[] };
  /** The entries that cannot be used, with the reason. */
  skipped: SkippedChainConfig[];
};

type Fields = Readonly<Record<string, unknown>>;
type Entry = { name: string; spender: `0x${string}`; network: EvmNetwork };

/** Reads the EVM networks of a chain configuration; whatever cannot be used is listed as skipped. */
export function readEvmChainConfig(config: unknown): EvmChainConfig {
  const skipped: SkippedChainConfig[] = [];
  const entries = networkEntries(config).flatMap((fields) => readEntry(fields, skipped));
  const usable = entries.filter(({ name }) => {
    const same = entries.filter((other) => other.name === name);
    if (same.every((other) => agrees(other, same[0]))) return true;
    skipped.push({ network: name, reason: 'is named twice, with another chain or contract' });
    return false;
  });
  const networks: Record<string, EvmNetwork> = {};
  for (const { name, network } of usable) {
    networks[name] = { ...network, tokens: { ...networks[name]?.tokens, ...network.tokens } };
  }
  const currencies = Object.values(networks).flatMap(({ tokens }) => Object.keys(tokens));
  return {
    networks,
    spenders: Object.fromEntries(usable.map(({ name, spender }) => [name, spender])),
    additions: {
      evmNetworks: beyond(LISTS.evmNetworks, Object.keys(networks)),
      delegationCurrencies: beyond(LISTS.delegationCurrencies, currencies),
    },
    skipped: uniqueOf(skipped),
  };
}

/**
 * Reads a configuration that the caller passes.
 *
 * @throws RequestValidationError when it has no list of networks
 */
function parseEvmChainConfig(config: unknown): EvmChainConfig {
  const isList = isObject(config) && Array.isArray(config['networks']);
  return isList ? readEvmChainConfig(config) : invalid('config', 'has no list of networks');
}

/** Returns the entries of a configuration, one for each network. */
export function networkEntries(config: unknown): Fields[] {
  const { networks } = Object(config) as Fields;
  return Array.isArray(networks) ? networks.map((item) => Object(item) as Fields) : [];
}

const CHAIN_ID = /^(?:eip155:)?(0x[0-9a-f]{1,13}|\d{1,16})$/i;

/**
 * A chain id as a number: decimal, hex, or with the prefix of CAIP-2. `undefined` for anything else,
 * such as the id of another kind of chain.
 */
export function readChainId(value: unknown): number | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const [, digits] = CHAIN_ID.exec(text.trim()) ?? [];
  const id = digits === undefined ? 0 : Number(digits);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** A number of decimals, as a number or as text. */
export function readDecimals(value: unknown): number | undefined {
  const decimals =
    typeof value === 'string' && /^\s*\d{1,2}\s*$/.test(value) ? Number(value) : value;
  return isEvmDecimals(decimals) ? decimals : undefined;
}

/** An address in its EIP-55 form; `undefined` for anything else and for the zero address. */
export function readAddress(value: unknown): `0x${string}` | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return isEvmAddress(text) && !isZeroAddress(text) ? toChecksumAddress(text) : undefined;
}

function readEntry(fields: Fields, skipped: SkippedChainConfig[]): Entry[] {
  const name = nameOf(fields['network'], Object.keys(CHAIN_IDS));
  const skip = (reason: string): [] => {
    skipped.push({ network: name, reason });
    return [];
  };
  if (name === undefined) return skip('has no name');
  const chainId = readChainId(fields['chainId']);
  const spender = readAddress(fields['delegationContract']);
  if (spender === undefined) return skip('has no contract with an EVM address');
  if (chainId === undefined) return skip('has no EVM chain id');
  const { tokens: listed } = fields;
  const tokens = isObject(listed)
    ? Object.entries(listed).flatMap(([code, token]) => readToken(name, code, token, skipped))
    : [];
  if (tokens.length === 0) return skip('has no token that can be used');
  return [{ name, spender, network: { chainId, tokens: Object.fromEntries(tokens) } }];
}

function readToken(
  network: string,
  code: string,
  value: unknown,
  skipped: SkippedChainConfig[],
): [string, EvmToken][] {
  const fields = Object(value) as Fields;
  const currency = nameOf(code, LISTS.delegationCurrencies);
  const address = readAddress(fields['address']);
  const decimals = readDecimals(fields['decimals']);
  const missing =
    currency === undefined ? 'a name' : address === undefined ? 'an EVM address' : 'decimals';
  if (currency === undefined || address === undefined || decimals === undefined) {
    skipped.push({
      network,
      currency: currency ?? code,
      reason: `has no valid value for ${missing}`,
    });
    return [];
  }
  return [[currency, { address, decimals, ...resetOf(address) }]];
}

/** The configuration does not show which tokens need a reset. For some tokens it is known. */
function resetOf(address: string): Pick<EvmToken, 'approvesOnlyFromZero'> {
  const known = Object.values(EVM_NETWORKS).flatMap(({ tokens }): EvmToken[] =>
    Object.values(tokens),
  );
  const token = known.find((one) => equalsIgnoringCase(one.address, address));
  return token?.approvesOnlyFromZero === true ? { approvesOnlyFromZero: true } : {};
}

/**
 * A name as the other endpoints spell it. A name that the API contract lists is spelled as it is
 * there. Any other is spelled as in the configuration, but one in capitals, as a token's symbol is,
 * becomes lower case.
 */
function nameOf(value: unknown, known: readonly string[]): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(text)) return undefined;
  const named = known.find((one) => equalsIgnoringCase(one, text));
  return named ?? (text === text.toUpperCase() ? text.toLowerCase() : text);
}

function agrees(one: Entry, other: Entry | undefined): boolean {
  return one.spender === other?.spender && one.network.chainId === other.network.chainId;
}

function beyond(listed: readonly string[], names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => !listed.includes(name));
}

function uniqueOf(skipped: readonly SkippedChainConfig[]): SkippedChainConfig[] {
  return [...new Map(skipped.map((one) => [JSON.stringify(one), one])).values()];
}

/**
 * Returns the EVM networks, tokens and spenders of the service's chain configuration, for the option
 * `networks`. Chain ids may be decimal, hex or prefixed with `eip155:`, decimals may be text, and
 * addresses may be in any case. Entries that cannot be used, such as the one for Solana, are listed
 * in `skipped`.
 *
 * A name that the API contract lists is spelled as it is there. Any other name is kept, except that
 * one in capitals becomes lower case. If entries of one network differ in chain or spender, none is
 * used.
 *
 * @throws RequestValidationError when the configuration has no list of networks.
 *
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { evmNetworksFromChainConfig } from 'card-platform-sdk/evm';
 *
 * async function load(client: CardPlatformClient) {
 *   const config = await client.delegation.chainConfig();
 *   const { networks, spenders, skipped } = await evmNetworksFromChainConfig(config);
 *   console.log(skipped);
 *   return { networks, spender: spenders['base'] };
 * }
 * ```
 */
export async function evmNetworksFromChainConfig(config: ChainConfig): Promise<EvmChainConfig> {
  return parseEvmChainConfig(config);
}
