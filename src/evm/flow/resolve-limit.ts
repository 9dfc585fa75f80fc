import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { isObject } from '../../contract/formats/is-object.js';
import {
  chainConfigUnusable,
  loadChainConfig,
  spenderNotConfirmed,
} from '../../delegation/chain-config.js';
import type { ChainError } from '../../delegation/chain-error.js';
import { invalid } from '../../delegation/check-values.js';
import type { ReadingOptions } from '../../delegation/reading-context.js';
import type { EvmSpendingLimit } from '../approval/spending-limit.js';
import type { EvmNode } from '../chain/json-rpc.js';
import { plainReader } from '../chain/reader.js';
import {
  networkEntries,
  readAddress,
  readChainId,
  readDecimals,
  readEvmChainConfig,
} from '../chain-config.js';
import { type EvmNetworks, findEvmToken, networkOfChain } from '../networks.js';
import type { EvmDelegationOptions } from './options.js';

type NetworkOptions = ReadingOptions & Pick<EvmDelegationOptions, 'network' | 'networks' | 'node'>;

/** Options whose network is known. */
export type OnNetwork<Options> = Options & { readonly network: string };

/**
 * Returns the options with the name of the network: the caller's, or the one that has the chain of the
 * node. The node is read only if it does not say itself which chain it is for, as one of viem does.
 *
 * @throws RequestValidationError when the chain is not that of exactly one known network
 */
export async function withNetwork<Options extends NetworkOptions>(
  options: Options,
): Promise<OnNetwork<Options>> {
  const { network, networks, node } = options;
  if (network !== undefined) return { ...options, network };
  if (networks === 'chain-config') invalid('network', "is needed with networks: 'chain-config'");
  const chainId = chainOf(node) ?? (await plainReader(options).chainId());
  return { ...options, network: networkOfChain(chainId, networks) };
}

/** The chain that a viem client was created for. The flow compares it with the node's. */
function chainOf(node: EvmNode & { chain?: unknown }): number | undefined {
  const id = isObject(node.chain) ? node.chain['id'] : undefined;
  return Number.isSafeInteger(id) ? Number(id) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The options that name a limit, or ask the service for parts of it. */
export type LimitOptions = OnNetwork<
  Pick<
    EvmDelegationOptions,
    | 'network'
    | 'currency'
    | 'networks'
    | 'amount'
    | 'cap'
    | 'unlimited'
    | 'spender'
    | 'confirmSpender'
    | 'region'
    | 'signal'
  >
> & { readonly client?: EvmDelegationOptions['client'] | undefined };

/**
 * Returns the limit with networks and spender: the caller's, or the service's where the caller asks
 * for them. The caller confirms a spender of the service, or pins one.
 *
 * @throws ChainError with the code `chain_config_unusable` or `spender_not_confirmed`
 */
export async function resolveLimit(options: LimitOptions): Promise<EvmSpendingLimit> {
  const { network, currency, amount, cap, unlimited, confirmSpender } = options;
  const limit = { network, currency, amount, cap, unlimited };
  if (options.spender === 'chain-config' && typeof confirmSpender !== 'function') {
    invalid('confirmSpender', 'is missing: confirm who may spend, or pass the spender');
  }
  if (options.networks !== 'chain-config') {
    const { networks } = options;
    if (options.spender !== 'chain-config') return { ...limit, networks, spender: options.spender };
    const place = findEvmToken({ network, currency, networks });
    const config = await loadChainConfig(options);
    const entries = networkEntries(config).filter(
      (entry) =>
        equalsIgnoringCase(entry['network'], network) && isChain(entry['chainId'], place.chainId),
    );
    const spender = spenderOf(entries);
    checkToken(entries, currency, place.token);
    return { ...limit, networks, spender: await confirmed(options, spender) };
  }
  const config = await loadChainConfig(options);
  const { networks, spender } = placeIn(config, network, currency);
  if (options.spender === 'chain-config') {
    return { ...limit, networks, spender: await confirmed(options, spender) };
  }
  if (!equalsIgnoringCase(options.spender, spender)) throw unusable('it has another spender');
  return { ...limit, networks, spender: options.spender };
}

/** Network, token and spender as the configuration names them, under the names of the caller. */
function placeIn(
  config: unknown,
  network: string,
  currency: string,
): { networks: EvmNetworks; spender: string } {
  const { networks, spenders, skipped } = readEvmChainConfig(config);
  const name = Object.keys(networks).find((one) => equalsIgnoringCase(one, network));
  const found = name === undefined ? undefined : networks[name];
  const spender = name === undefined ? undefined : spenders[name];
  const tokens = Object.entries(found?.tokens ?? {});
  const token = tokens.find(([code]) => equalsIgnoringCase(code, currency))?.[1];
  if (found === undefined || spender === undefined || token === undefined) {
    const entry = skipped.find(
      (one) =>
        equalsIgnoringCase(one.network, network) &&
        (found === undefined
          ? one.currency === undefined
          : equalsIgnoringCase(one.currency, currency)),
    );
    const what = found === undefined ? 'the network' : 'the currency';
    throw unusable(`${what} ${entry?.reason ?? 'is not in it'}`);
  }
  return { networks: { [network]: { ...found, tokens: { [currency]: token } } }, spender };
}

/** The one contract that the entries of a network have. */
function spenderOf(entries: readonly Fields[]): string {
  if (entries.length === 0) throw unusable('the network is not in it');
  const spenders = entries.map(({ delegationContract }) => readAddress(delegationContract));
  const [spender] = spenders;
  if (spender === undefined) throw unusable('it has no contract for the network');
  if (spenders.some((one) => one !== spender)) {
    throw unusable('it has several contracts for the network');
  }
  return spender;
}

/** Both sides must know the same token: a limit on another one would be useless. */
function checkToken(
  entries: readonly Fields[],
  currency: string,
  ours: { address: string; decimals: number },
): void {
  const known = entries
    .flatMap(({ tokens }) => Object.entries(Object(tokens) as Fields))
    .filter(([code]) => equalsIgnoringCase(code, currency));
  if (known.length === 0) throw unusable('the currency is not in it');
  for (const [, token] of known) {
    const { address, decimals } = Object(token) as Fields;
    if (typeof address === 'string' && !equalsIgnoringCase(address.trim(), ours.address)) {
      throw unusable('it has another token contract');
    }
    const isGiven = decimals !== undefined && decimals !== null;
    if (isGiven && readDecimals(decimals) !== ours.decimals) {
      throw unusable('it has other decimals');
    }
  }
}

function isChain(id: unknown, expected: number): boolean {
  return id === undefined || id === null || readChainId(id) === expected;
}

async function confirmed({ confirmSpender }: LimitOptions, spender: string): Promise<string> {
  if ((await confirmSpender?.(spender)) === true) return spender;
  throw spenderNotConfirmed('confirmSpender', 'spender');
}

function unusable(detail: string): ChainError {
  return chainConfigUnusable(detail, 'the spender, or the networks,');
}
