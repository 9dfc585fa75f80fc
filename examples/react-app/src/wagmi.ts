import { connect, createConfig, http, injected } from '@wagmi/core';
import type { Eip1193Provider } from 'card-platform-sdk/evm';
import { linea } from 'viem/chains';

/**
 * The test wallet of the mock platform, which runs in the server of this page. Remove it from your
 * app, where `injected()` finds the wallets of the browser.
 */
const provider: Eip1193Provider & { on(): void; removeListener(): void } = {
  async request(call) {
    const body = JSON.stringify(call);
    const { result, error } = await (await fetch('/wallet', { method: 'POST', body })).json();
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  },
  on() {},
  removeListener() {},
};

const wallet = injected({
  target: { id: 'test-wallet', name: 'Test wallet', provider: provider as never },
});

export const config = createConfig({
  chains: [linea],
  connectors: [wallet],
  transports: { [linea.id]: http('/chain') },
});

/** Connects the wallet. If that fails, the delegation fails too, and shows a sentence. */
export const connectWallet = () => connect(config, { connector: wallet }).catch(() => undefined);
