import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { ChainError } from '../../delegation/chain-error.js';
import { invalid } from '../../delegation/invalid.js';
import { findEvmToken } from '../networks.js';
import type { EvmDelegationOptions } from './options.js';

type Fields = Record<string, unknown>;

/** Returns the caller's spender, or the service's if the caller asks for it. */
export async function resolveSpender(options: EvmDelegationOptions): Promise<string> {
  const { spender, client, signal, region, network, currency } = options;
  if (spender !== 'chain-config') return spender;
  if (client.delegation.chainConfig === undefined) {
    return invalid('client', 'has no delegation.chainConfig');
  }
  const { chainId, token } = findEvmToken(options);
  // In practice spenders differ between regions, so this uses the region of token and proof.
  const where = region === undefined ? {} : { region };
  const config = await client.delegation.chainConfig({ signal, ...where });
  const { networks } = Object(config) as Fields;
  const entry = list(networks).find(
    (candidate) =>
      equalsIgnoringCase(candidate['network'], network) && sameChain(candidate, chainId),
  );
  if (entry === undefined) throw unusable('the network is not in it');
  checkToken(entry['tokens'], currency, token);
  const { delegationContract } = entry;
  if (typeof delegationContract === 'string') return delegationContract;
  throw unusable('it has no contract for the network');
}

/** Both sides must know the same token: a limit on another one would be useless. */
function checkToken(
  tokens: unknown,
  currency: string,
  ours: { address: string; decimals: number },
): void {
  const known = Object.entries(Object(tokens) as Fields);
  const theirs = known.find(([code]) => equalsIgnoringCase(code, currency))?.[1];
  if (theirs === undefined) return;
  const { address, decimals } = Object(theirs) as Fields;
  if (typeof address === 'string' && !equalsIgnoringCase(address, ours.address)) {
    throw unusable('it has another token contract');
  }
  // Some services write the number as a text.
  if (decimals !== undefined && decimals !== null && Number(decimals) !== ours.decimals) {
    throw unusable('it has other decimals');
  }
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map((item) => Object(item) as Fields) : [];
}

function sameChain({ chainId }: Fields, expected: number): boolean {
  return chainId === undefined || chainId === null || Number(chainId) === expected;
}

function unusable(detail: string): ChainError {
  return new ChainError({
    code: 'chain_config_unusable',
    outcome: 'not_sent',
    message: `the service's chain configuration cannot be used (${detail}). Nothing was sent. Pass the spender, or the networks, explicitly.`,
  });
}
