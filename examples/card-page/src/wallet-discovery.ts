import type { Eip1193Provider } from 'card-platform-sdk/evm';

/** A wallet in the browser, as announced by EIP-6963. */
export type InjectedWallet = {
  info: { uuid: string; name: string };
  provider: Eip1193Provider;
};

/** The wallets that were announced so far, by their id. */
const known = new Map<string, InjectedWallet>();

/** Calls `onWallet` once for every wallet that announces itself (EIP-6963). */
export function discoverWallets(onWallet: (wallet: InjectedWallet) => void): void {
  const seen = new Set<string>();
  addEventListener('eip6963:announceProvider', (event) => {
    const { detail } = event as CustomEvent<InjectedWallet>;
    const { uuid } = detail.info;
    if (seen.has(uuid)) return;
    seen.add(uuid);
    known.set(uuid, detail);
    onWallet(detail);
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
}

/** Returns the wallet of this browser with an id. */
export function discoveredWallet(uuid: string): Eip1193Provider | undefined {
  return known.get(uuid)?.provider;
}

/** Returns the wallet of this browser that has an account connected to this page. */
export async function walletWithAccount(address: string): Promise<Eip1193Provider | undefined> {
  for (const { provider } of known.values()) {
    const accounts = await provider.request({ method: 'eth_accounts' }).catch(() => []);
    const isConnected =
      Array.isArray(accounts) &&
      accounts.some((account) => String(account).toLowerCase() === address.toLowerCase());
    if (isConnected) return provider;
  }
  return undefined;
}
