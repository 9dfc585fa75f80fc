import { LISTS } from '../contract/lists.js';
import type { DelegationOptions } from './options.js';

const FAUCET_NETWORKS: readonly string[] = LISTS.faucetNetworks;

/**
 * Whether the faucet may be asked for the network fee: by default on the networks where the contract
 * has one, unless somebody else pays the fee.
 */
export function mayUseFaucet(
  { faucet, checkFunds }: Pick<DelegationOptions, 'faucet' | 'checkFunds'>,
  network: string,
): boolean {
  return faucet ?? (checkFunds !== false && FAUCET_NETWORKS.includes(network));
}
