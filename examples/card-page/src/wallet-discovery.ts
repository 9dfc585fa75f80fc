import type { Eip1193Provider } from 'card-platform-sdk/evm';

/** A wallet in the browser, as announced by EIP-6963. */
export type InjectedWallet = {
  info: { uuid: string; name: string };
  provider: Eip1193Provider;
};

/** Calls `onWallet` once for every wallet that announces itself (EIP-6963). */
export function discoverWallets(onWallet: (wallet: InjectedWallet) => void): void {
  const known = new Set<string>();
  addEventListener('eip6963:announceProvider', (event) => {
    const { detail } = event as CustomEvent<InjectedWallet>;
    if (known.has(detail.info.uuid)) return;
    known.add(detail.info.uuid);
    onWallet(detail);
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
}
