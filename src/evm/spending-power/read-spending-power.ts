import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { isObject } from '../../contract/formats/is-object.js';
import type { RegisteredWallet } from '../../delegation/client.js';
import { invalid } from '../../delegation/invalid.js';
import { toChecksumAddress } from '../address.js';
import { encodeAllowance, encodeBalanceOf } from '../approval/calldata.js';
import { checkAddress } from '../approval/plan.js';
import { MAX_BATCH, type ViewCall } from '../chain/batch-call.js';
import { isHex } from '../chain/json-rpc.js';
import { plainReader } from '../chain/plain-reader.js';
import { EVM_NETWORKS, type EvmNetworks, findEvmToken } from '../networks.js';
import { powerOf, readCap } from './power.js';
import type { EvmSpendingPower, EvmSpendingPowerOptions, EvmSpendingPowers } from './types.js';

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
