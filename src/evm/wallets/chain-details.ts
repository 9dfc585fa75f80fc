import { isObject } from '../../contract/formats/is-object.js';
import { isSecureUrl } from '../../contract/formats/url.js';
import { invalid } from '../../delegation/check-values.js';
import { isEvmDecimals } from '../networks.js';

/** The details that a wallet needs to add a network that it does not know (EIP-3085). */
export type EvmChainDetails = {
  /** The name that the wallet shows, for example `Linea`. */
  chainName: string;
  /** The coin that pays the network fee. */
  nativeCurrency: { name: string; symbol: string; decimals: number };
  /** Nodes that the wallet will use, best first: https, or http on a loopback host. */
  rpcUrls: readonly string[];
  /** Pages that show transactions: https, or http on a loopback host. */
  blockExplorerUrls?: readonly string[] | undefined;
};

/** The details of a network as a chain of `viem/chains`. */
export type ViemChain = {
  readonly id: number;
  readonly name: string;
  readonly nativeCurrency: { name: string; symbol: string; decimals: number };
  readonly rpcUrls: { readonly default: { readonly http: readonly string[] } };
  readonly blockExplorers?: Readonly<Record<string, { readonly url: string }>> | undefined;
};

/**
 * Checks the details of a network, and converts a chain of viem. This package knows no nodes, so they
 * come from the caller.
 *
 * @throws RequestValidationError naming the field
 */
export function checkChainDetails(
  path: string,
  given: EvmChainDetails | ViemChain,
  chainId: number,
): EvmChainDetails {
  if (!isObject(given)) return invalid(path, 'must be the details of the network');
  const { id } = given as Partial<ViemChain>;
  if (id !== undefined && id !== chainId) invalid(path, 'is another chain');
  const { chainName, nativeCurrency, rpcUrls, blockExplorerUrls } = toDetails(given);
  requireText(`${path}.chainName`, chainName);
  requireCurrency(`${path}.nativeCurrency`, nativeCurrency);
  requireUrls(`${path}.rpcUrls`, rpcUrls, 1);
  if (blockExplorerUrls !== undefined) requireUrls(`${path}.blockExplorerUrls`, blockExplorerUrls);
  const { name, symbol, decimals } = nativeCurrency;
  return {
    chainName,
    nativeCurrency: { name, symbol, decimals },
    rpcUrls: [...rpcUrls],
    ...(blockExplorerUrls === undefined ? {} : { blockExplorerUrls: [...blockExplorerUrls] }),
  };
}

/** The details in a viem chain; `undefined` if it has only an id. */
export function detailsOfViemChain(chain: unknown): EvmChainDetails | undefined {
  if (!isObject(chain) || !isObject(chain['rpcUrls'])) return undefined;
  return toDetails(chain as unknown as ViemChain);
}

function toDetails(given: EvmChainDetails | ViemChain): EvmChainDetails {
  if (!('name' in given)) return given;
  const { name, nativeCurrency, rpcUrls, blockExplorers } = given;
  const pages = Object.values(Object(blockExplorers) as Record<string, { url: string }>);
  return {
    chainName: name,
    nativeCurrency,
    rpcUrls: rpcUrls?.default?.http,
    ...(pages.length === 0 ? {} : { blockExplorerUrls: pages.map(({ url }) => url) }),
  };
}

function requireText(path: string, value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '')
    invalid(path, 'must be a string that is not blank');
}

function requireCurrency(path: string, value: unknown): void {
  if (!isObject(value)) invalid(path, 'must be an object');
  requireText(`${path}.name`, value['name']);
  requireText(`${path}.symbol`, value['symbol']);
  if (!isEvmDecimals(value['decimals'])) invalid(`${path}.decimals`, 'must be 0 to 36');
}

function requireUrls(path: string, value: unknown, least = 0): void {
  if (!Array.isArray(value) || value.length < least) invalid(path, 'must be a list of URLs');
  if (!value.every(isSecureUrl)) invalid(path, 'must be https, or http on a loopback host');
}
