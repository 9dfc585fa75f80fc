import {
  type DelegationProgress,
  type DelegationState,
  delegateEvm,
  type EvmNetworks,
} from 'card-platform-sdk/evm';
import { createPublicClient, http } from 'viem';
import { linea } from 'viem/chains';
import { element, field, form, panel } from './elements.js';
import { type App, tellChange } from './platform.js';
import { discoverWallets, type InjectedWallet } from './wallet-discovery.js';

/** Where a delegation that was interrupted is kept: in this tab, in no other place. */
const KEY = 'delegation';

/** Which node to read from, and, on a local chain, which tokens there are. */
export type ChainSettings = { rpcUrl: string; networks?: EvmNetworks };

/** Lets the card spend from a wallet of the user's own. */
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
    sessionStorage.setItem(KEY, JSON.stringify(state));
    Object.assign(bar, { hidden: false, value: position, max: total });
    own.say(needsUser ? `${message} (Your wallet is waiting.)` : message);
  }

  async function delegate(): Promise<void> {
    const provider = wallets.get(choice.value)?.provider;
    if (provider === undefined) return own.say('No wallet was found in this browser.', 'bad');
    await provider.request({ method: 'eth_requestAccounts' });
    const saved = sessionStorage.getItem(KEY);
    const result = await delegateEvm({
      ...{ client: app.user, wallet: provider, networks },
      publicClient: createPublicClient({ chain: linea, transport: http(rpcUrl) }),
      ...{ network: 'linea', currency: 'usdc', amount: amount.input.value },
      spender: 'chain-config',
      ...{ domain: location.host, uri: location.origin },
      resume: saved === null ? undefined : (JSON.parse(saved) as DelegationState),
      onProgress: show,
    });
    sessionStorage.removeItem(KEY);
    bar.hidden = true;
    own.say(`Done: the card may spend up to ${result.amount} USDC from your wallet.`, 'good');
    tellChange(app);
  }

  const which = element('label', { className: 'field' }, 'Wallet', choice);
  own.body.append(
    element('p', { className: 'quiet' }, 'You sign a message, and approve a limit on Linea.'),
    form(own, sessionStorage.getItem(KEY) ? 'Continue' : 'Delegate', delegate, which, amount.label),
    bar,
  );
  return own.root;
}
