import { isZeroAddress } from '../contract/formats/evm-checksum.js';
import { invalid } from '../delegation/check-values.js';
import { isEvmAddress } from './address.js';

/** An ERC-20 token that can be delegated. */
export type EvmToken = {
  /** The token's contract, 0x and 40 hex characters. */
  address: string;
  /** How many decimals one unit of the currency has, 0 to 36. */
  decimals: number;
  /**
   * Whether the token refuses to change an allowance that is not zero, as USDT on ethereum does:
   * then the allowance is set to zero first, in a separate transaction. Default `false`.
   */
  approvesOnlyFromZero?: boolean | undefined;
};

/** A network and its tokens. */
export type EvmNetwork = {
  /** Chain id, for example 59144 for linea. */
  chainId: number;
  /** Tokens by the currency's name at the service, for example `usdc`. */
  tokens: Readonly<Record<string, EvmToken>>;
};

/** Networks by their name at the service, for example `linea`. */
export type EvmNetworks = Readonly<Record<string, EvmNetwork>>;

/**
 * The networks and currencies of the API contract, with the addresses of their token contracts. Add
 * to them, or replace one, with the option `networks`.
 */
export const EVM_NETWORKS = {
  linea: {
    chainId: 59144,
    tokens: {
      usdc: { address: '0x176211869cA2b568f2A7D4EE941E073a821EE1ff', decimals: 6 },
      usdt: { address: '0xA219439258ca9da29E9Cc4cE5596924745e12B93', decimals: 6 },
    },
  },
  ethereum: {
    chainId: 1,
    tokens: {
      usdc: { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
      usdt: {
        address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
        decimals: 6,
        approvesOnlyFromZero: true,
      },
    },
  },
} as const satisfies EvmNetworks;

/** The network and currency to delegate, by their names at the service. */
export type EvmAsset = {
  /** The network's name at the service: `linea`, `ethereum`, or one of `networks`. */
  network: string;
  /** The currency's name at the service: `usdc`, `usdt`, or one of `networks`. */
  currency: string;
  /**
   * Networks and tokens beyond `EVM_NETWORKS`, or in place of some of them. Tokens that are not
   * listed stay as they are.
   */
  networks?: EvmNetworks | undefined;
};

/**
 * Returns the chain id and the token of a currency on a network.
 *
 * @throws RequestValidationError when the network or the currency is not known and was not added, or
 * when its entry in `networks` is invalid.
 *
 * @example
 * ```ts
 * import { findEvmToken } from 'card-platform-sdk/evm';
 *
 * const { chainId, token } = findEvmToken({ network: 'linea', currency: 'usdc' });
 * console.log(chainId, token.address);
 * ```
 */
export function findEvmToken(asset: EvmAsset): { chainId: number; token: EvmToken } {
  const { network, currency, networks }: EvmAsset = Object(asset);
  const known = entry<EvmNetwork>(EVM_NETWORKS, network);
  const added = entry<EvmNetwork>(networks, network);
  const chainId = added?.chainId ?? known?.chainId;
  if (chainId === undefined) return invalid('network', 'is not known: add it to networks');
  const token = entry(added?.tokens, currency) ?? entry<EvmToken>(known?.tokens, currency);
  if (token === undefined) return invalid('currency', 'is not known: add it to networks');
  if (!Number.isSafeInteger(chainId) || chainId < 1) invalid('networks', 'has no valid chain id');
  if (!isEvmAddress(token.address) || isZeroAddress(token.address)) {
    invalid('networks', 'has no valid token address');
  }
  if (!isEvmDecimals(token.decimals)) invalid('networks', 'has no valid decimals');
  return { chainId, token };
}

/**
 * Returns the name of the network that has a chain.
 *
 * @throws RequestValidationError when no known network has it, or several do
 */
export function networkOfChain(chainId: number, networks?: EvmNetworks): string {
  const known: EvmNetworks = { ...EVM_NETWORKS, ...networks };
  const [name, other] = Object.keys(known).filter((one) => known[one]?.chainId === chainId);
  if (name === undefined) {
    return invalid('network', 'is needed: no known network has the chain of the node');
  }
  return other === undefined
    ? name
    : invalid('network', 'is needed: several networks have the chain of the node');
}

/** Whether a value is a number of decimals that a token can have. */
export function isEvmDecimals(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 36;
}

function entry<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
