import type { DelegationState, EvmNetworks } from 'card-platform-sdk/evm';
import { createPublicClient, http } from 'viem';
import { linea } from 'viem/chains';
import type { App } from './platform.js';

/** The node to read from and, on a local chain, its tokens. */
export type ChainSettings = { rpcUrl: string; networks?: EvmNetworks };

/** The chain that this page delegates on. */
export const CHAIN_ID = linea.id;

/** A user may take minutes. A wallet whose connection has died never responds. */
const PROMPT_TIMEOUT_MS = 5 * 60_000;

/** Returns the options that previews, delegations and revocations share. */
export function ownWalletOptions({ userClient }: App, { rpcUrl, networks }: ChainSettings) {
  const nodeUrl = new URL(rpcUrl, location.href).href;
  return {
    client: userClient,
    node: createPublicClient({ chain: linea, transport: http(nodeUrl) }),
    network: 'linea',
    currency: 'usdc',
    networks,
    spender: 'chain-config',
    domain: location.host,
    uri: location.origin,
    // A wallet that does not know the network can add it.
    switchNetwork: { ...linea, rpcUrls: { default: { http: [nodeUrl] } } },
    promptTimeout: PROMPT_TIMEOUT_MS,
  } as const;
}

/** The saved state of an interrupted flow, in the session storage of this tab. */
export function savedFlow(key: string) {
  return {
    load(): DelegationState | undefined {
      const saved = sessionStorage.getItem(key);
      return saved === null ? undefined : (JSON.parse(saved) as DelegationState);
    },
    save: (state: DelegationState) => sessionStorage.setItem(key, JSON.stringify(state)),
    clear: () => sessionStorage.removeItem(key),
  };
}

/** Shortens an address for people. */
export const shortAddress = (address: string | null | undefined): string =>
  address ? `${address.slice(0, 6)}…${address.slice(-4)}` : '';
