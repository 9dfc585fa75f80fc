import {
  type DelegationProgress,
  type DelegationState,
  delegateEvm,
  type EvmNetworks,
} from 'card-platform-sdk/evm';
import { createPublicClient, http } from 'viem';
import { linea } from 'viem/chains';
import { element, field, form, panel } from './elements.js';
import { type App, notifyChange } from './platform.js';
import { discoverWallets, type InjectedWallet } from './wallet-discovery.js';

/** Key of an interrupted delegation in the session storage of this tab. */
const STORAGE_KEY = 'delegation';

/** The node to read from and, on a local chain, its tokens. */
export type ChainSettings = { rpcUrl: string; networks?: EvmNetworks };

/** Lets the card spend from the user's own wallet. */
export function delegatePanel(app: App, { rpcUrl, networks }: ChainSettings): HTMLElement {
  const own = panel('Pay from your own wallet');
  const choice = element('select', { required: true });
  const amount = field('Spending limit in USDC', {
    inputMode: 'decimal',
    required: true,
    value: '250',
  });
  const bar = element('progress', { value: 0, max: 1, hidden: true });
  bar.setAttribute('aria-label', 'Progress of the delegation');
  const wallets = new Map<string, InjectedWallet>();

  discoverWallets((wallet) => {
    wallets.set(wallet.info.uuid, wallet);
    choice.append(element('option', { value: wallet.info.uuid }, wallet.info.name));
  });

  function show({ position, total, message, needsUser, state }: DelegationProgress): void {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(state));
    Object.assign(bar, { hidden: false, value: position, max: total });
    own.showStatus(needsUser ? `${message} (Your wallet is waiting.)` : message);
  }

  async function delegate(): Promise<void> {
    const provider = wallets.get(choice.value)?.provider;
    if (provider === undefined)
      return own.showStatus('No wallet was found in this browser.', 'bad');
    await provider.request({ method: 'eth_requestAccounts' });
    const saved = sessionStorage.getItem(STORAGE_KEY);
    const result = await delegateEvm({
      client: app.user,
      wallet: provider,
      networks,
      publicClient: createPublicClient({ chain: linea, transport: http(rpcUrl) }),
      network: 'linea',
      currency: 'usdc',
      amount: amount.input.value,
      spender: 'chain-config',
      domain: location.host,
      uri: location.origin,
      resume: saved === null ? undefined : (JSON.parse(saved) as DelegationState),
      onProgress: show,
    });
    sessionStorage.removeItem(STORAGE_KEY);
    bar.hidden = true;
    own.showStatus(
      `Done: the card may spend up to ${result.amount} USDC from your wallet.`,
      'good',
    );
    notifyChange(app);
  }

  const walletField = element('label', { className: 'field' }, 'Wallet', choice);
  own.body.append(
    element('p', { className: 'quiet' }, 'You sign a message, and approve a limit on Linea.'),
    form(
      own,
      sessionStorage.getItem(STORAGE_KEY) ? 'Continue' : 'Delegate',
      delegate,
      walletField,
      amount.label,
    ),
    bar,
  );
  return own.root;
}
