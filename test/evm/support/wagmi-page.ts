import * as wagmi3 from '@wagmi/core';
import { http } from 'viem';
import { vi } from 'vitest';
import * as wagmi2 from 'wagmi-core-2';
import type { LocalChain } from '../../chain/local-chain.js';
import type { BrowserWallet } from './browser-wallet.js';

/** Both versions have the functions that the tests call, with types of their own. */
export type Wagmi = typeof wagmi3;

/** How wagmi finds the wallet: the page passes it, or it announces itself (EIP-6963). */
export type Discovery = 'passed' | 'announced';

export const WAGMI: readonly (readonly [number, Discovery, Wagmi])[] = (
  [
    [2, wagmi2 as unknown as Wagmi],
    [3, wagmi3],
  ] as const
).flatMap(([version, wagmi]) =>
  (['passed', 'announced'] as const).map((discovery) => [version, discovery, wagmi] as const),
);

const INFO = {
  uuid: '350670db-19fa-4704-a166-e52e178b59d2',
  name: 'Local wallet',
  icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
  rdns: 'example.local-wallet',
};

/** Announces a wallet as browser extensions do: at once, and whenever a page asks. */
function announce(page: EventTarget, provider: BrowserWallet): void {
  const detail = Object.freeze({ info: INFO, provider });
  const tell = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  page.addEventListener('eip6963:requestProvider', tell);
  tell();
}

/** The config of a page whose user has connected a browser wallet. The first chain is the default. */
export async function connectedConfig(
  [, discovery, wagmi]: (typeof WAGMI)[number],
  browser: BrowserWallet,
  [first, second]: readonly [LocalChain, LocalChain],
  storage: wagmi3.Storage | null = null,
): Promise<wagmi3.Config> {
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  if (discovery === 'announced') announce(page, browser);
  const target = () => ({ id: 'local', name: 'Local wallet', provider: browser as never });
  const config = wagmi.createConfig({
    chains: [first.chain, second.chain],
    connectors: discovery === 'passed' ? [wagmi.injected({ target, shimDisconnect: false })] : [],
    transports: { [first.chainId]: http(first.url), [second.chainId]: http(second.url) },
    storage,
    multiInjectedProviderDiscovery: discovery === 'announced',
  });
  const [connector] = config.connectors;
  if (connector === undefined) throw new Error('no connector');
  await wagmi.connect(config, { connector });
  return config;
}
