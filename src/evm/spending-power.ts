import { baseUnitsToDecimal, decimalToBaseUnits } from '../contract/formats/decimal.js';
import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { isObject } from '../contract/formats/is-object.js';
import { invalid } from '../delegation/check-values.js';
import type { RegisteredWallet } from '../delegation/client.js';
import type { ReadingOptions } from '../delegation/reading-context.js';
import { parseListedLimit } from '../delegation/registered-wallets.js';
import { checkAddress, toChecksumAddress } from './address.js';
import { encodeAllowance, encodeBalanceOf } from './approval/calldata.js';
import { UNLIMITED } from './approval/spending-limit.js';
import { MAX_BATCH, type ViewCall } from './chain/chain-facts.js';
import { type EvmNode, isHex } from './chain/json-rpc.js';
import { plainReader } from './chain/reader.js';
import { EVM_NETWORKS, type EvmNetworks, findEvmToken } from './networks.js';

/** The input of `readEvmSpendingPower`. */
export type EvmSpendingPowerOptions = ReadingOptions & {
  /** The registered wallets: the result of `wallets.external.list()`. */
  wallets: readonly (RegisteredWallet | null)[];
  /** The node to read the chain from. Wallets of other chains are left out. */
  node: EvmNode;
  /**
   * The address that may spend: the platform's contract, or one for each network, as in `spenders`
   * of `evmNetworksFromChainConfig`.
   */
  spender: string | Readonly<Record<string, string>>;
  /** Networks and tokens beyond `EVM_NETWORKS`, or in place of some of them. */
  networks?: EvmNetworks | undefined;
  /**
   * Returns the limit that the user set for a wallet, in units of the currency, if you have stored
   * it. Default: the limit that the service lists, which may be what is left of it.
   */
  capOf?: ((wallet: RegisteredWallet) => string | undefined) | undefined;
};

/**
 * The spending power of a card from one wallet. Amounts are decimal strings in units of the currency.
 */
export type EvmSpendingPower = {
  /** The wallet, in EIP-55 form. */
  address: string;
  network: string;
  currency: string;
  /** The token's contract. */
  token: string;
  spender: string;
  decimals: number;
  /** The limit that was set: the whole of a progress bar. `undefined` if it is not known. */
  cap: string | undefined;
  /** The rest of the limit on the chain. */
  limit: string;
  /** Whether the approval on the chain has no limit. */
  isUnlimited: boolean;
  /** The tokens of the wallet. */
  balance: string;
  /** The amount that can be spent now: the smaller of limit and balance. */
  spendable: string;
  /** The part of the cap that was spent. `undefined` if the cap is not known. */
  spent: string | undefined;
};

/** The result of `readEvmSpendingPower`. */
export type EvmSpendingPowers = {
  wallets: EvmSpendingPower[];
  /**
   * Entries without a result. `not-evm`: no EVM address. `unknown-asset`: network or currency is in
   * no list. `no-spender`: no contract for the network. `other-chain`: not on the node's chain.
   * `unreadable`: the token did not respond.
   */
  leftOut: {
    wallet: RegisteredWallet | null;
    reason: 'not-evm' | 'unknown-asset' | 'no-spender' | 'other-chain' | 'unreadable';
  }[];
};

/** Above half of what fits, a limit can never be used up: wallets approve the largest number. */
const NO_LIMIT = UNLIMITED / 2n;

/** What one wallet can spend, computed from base units. */
export function powerOf(
  decimals: number,
  reads: { readonly limit: bigint; readonly balance: bigint; readonly cap: bigint | undefined },
): Pick<EvmSpendingPower, 'cap' | 'limit' | 'isUnlimited' | 'balance' | 'spendable' | 'spent'> {
  const { limit, balance, cap } = reads;
  const text = (units: bigint) => baseUnitsToDecimal(units, decimals);
  const spent = cap === undefined ? undefined : cap > limit ? cap - limit : 0n;
  return {
    cap: cap === undefined ? undefined : text(cap),
    limit: text(limit),
    isUnlimited: limit > NO_LIMIT,
    balance: text(balance),
    spendable: text(limit < balance ? limit : balance),
    spent: spent === undefined ? undefined : text(spent),
  };
}

/** A limit of the service's list in base units; `undefined` for anything else. */
export function readCap(value: unknown, decimals: number): bigint | undefined {
  const limit = parseListedLimit(value);
  if (typeof limit !== 'string') return limit;
  const [whole = '', fraction = ''] = limit.split('.');
  // More digits than the token has mean nothing on the chain.
  return decimalToBaseUnits(`${whole}.${fraction.slice(0, decimals)}0`, decimals);
}

type Reason = EvmSpendingPowers['leftOut'][number]['reason'];
type Candidate = Pick<
  EvmSpendingPower,
  'address' | 'network' | 'currency' | 'token' | 'spender' | 'decimals'
> & { readonly listed: RegisteredWallet; readonly chainId: number };

function checkInput({ wallets, spender }: EvmSpendingPowerOptions): void {
  if (!Array.isArray(wallets)) invalid('wallets', 'must be a list');
  const spenders = isObject(spender) ? Object.entries(spender) : [['', spender] as const];
  for (const [name, address] of spenders) {
    checkAddress(name === '' ? 'spender' : `spender.${name}`, address);
  }
}

function callsOf({ token, address, spender }: Candidate): ViewCall[] {
  return [
    { to: token, data: encodeAllowance(address, spender) },
    { to: token, data: encodeBalanceOf(address) },
  ];
}

function candidateOf(
  wallet: RegisteredWallet | null,
  { networks, spender }: EvmSpendingPowerOptions,
): Candidate | Reason {
  const fields: RegisteredWallet = Object(wallet);
  if (!isHex(fields.address, 20)) return 'not-evm';
  const network = named({ ...EVM_NETWORKS, ...networks }, fields.network);
  if (network === undefined) return 'unknown-asset';
  const currency = named(tokensOf(network, networks), fields.currency);
  if (currency === undefined) return 'unknown-asset';
  const own = typeof spender === 'string' ? spender : spender[named(spender, network) ?? ''];
  if (own === undefined) return 'no-spender';
  const { chainId, token } = findEvmToken({ network, currency, networks });
  return {
    listed: fields,
    chainId,
    address: toChecksumAddress(fields.address),
    network,
    currency,
    token: toChecksumAddress(token.address),
    spender: toChecksumAddress(own),
    decimals: token.decimals,
  };
}

function tokensOf(network: string, networks: EvmNetworks | undefined): Record<string, unknown> {
  const known: EvmNetworks = EVM_NETWORKS;
  return { ...known[network]?.tokens, ...networks?.[network]?.tokens };
}

/** The name in a table that equals a value, whatever its case. */
function named(table: Readonly<Record<string, unknown>>, value: unknown): string | undefined {
  return Object.keys(table).find((name) => equalsIgnoringCase(value, name));
}

/**
 * Returns how much the card can spend now from each registered wallet: the smaller of the remaining
 * limit on the chain and the wallet's balance. If the node allows it, one request reads up to 150
 * wallets.
 *
 * @throws RequestValidationError for invalid input.
 * @throws ChainReadError when the node fails.
 *
 * @example
 * ```ts
 * import type { CardPlatformClient } from 'card-platform-sdk';
 * import { type EvmNode, readEvmSpendingPower } from 'card-platform-sdk/evm';
 *
 * async function bars(client: CardPlatformClient, node: EvmNode, spender: string) {
 *   const listed = await client.wallets.external.list();
 *   const { wallets } = await readEvmSpendingPower({ wallets: listed, node, spender });
 *   return wallets.map(({ spendable, cap, currency }) => `${spendable} of ${cap} ${currency}`);
 * }
 * ```
 */
export async function readEvmSpendingPower(
  options: EvmSpendingPowerOptions,
): Promise<EvmSpendingPowers> {
  const reader = plainReader(options);
  checkInput(options);
  const { wallets, capOf } = options;
  const result: EvmSpendingPowers = { wallets: [], leftOut: [] };
  const leaveOut = (wallet: RegisteredWallet | null, reason: Reason) =>
    result.leftOut.push({ wallet, reason });
  const candidates = wallets.flatMap((wallet) => {
    const found = candidateOf(wallet, options);
    if (typeof found === 'object') return [found];
    leaveOut(wallet, found);
    return [];
  });
  const size = MAX_BATCH / 2;
  for (let first = 0; first < candidates.length; first += size) {
    const part = candidates.slice(first, first + size);
    const { chainId, words } = await reader.batch(part.flatMap(callsOf));
    for (const [index, candidate] of part.entries()) {
      const { listed, chainId: own, ...wallet } = candidate;
      const [limit, balance] = [words[index * 2], words[index * 2 + 1]];
      if (own !== chainId) leaveOut(listed, 'other-chain');
      else if (limit === undefined || balance === undefined) leaveOut(listed, 'unreadable');
      else {
        const cap = readCap(capOf?.(listed) ?? listed.allowance, wallet.decimals);
        result.wallets.push({ ...wallet, ...powerOf(wallet.decimals, { limit, balance, cap }) });
      }
    }
  }
  return result;
}
