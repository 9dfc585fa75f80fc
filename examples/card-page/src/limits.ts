import {
  type EvmSpendingPower,
  evmNetworksFromChainConfig,
  isChainError,
  readEvmSpendingPower,
  revokeEvmDelegation,
} from 'card-platform-sdk/evm';
import { confirmInDialog } from './confirm.js';
import { button, element, panel, runAction } from './elements.js';
import { messageFor } from './error-messages.js';
import { type ChainSettings, ownWalletOptions, savedFlow, shortAddress } from './own-wallet.js';
import { type App, notifyChange, onChange } from './platform.js';
import { walletWithAccount } from './wallet-discovery.js';

const REVOKED = 'Revoked. The card cannot spend from this wallet any more.';

/**
 * Shows how much the card may still spend from each of the user's own wallets, and revokes limits.
 */
export function limitsPanel(app: App, chain: ChainSettings): HTMLElement {
  const own = panel('Limits of your own wallets');
  const options = ownWalletOptions(app, chain);
  const { node, networks } = options;
  const list = element('ul');

  async function refresh(): Promise<void> {
    const { wallets: registered, delegation } = app.userClient;
    const [listed, config] = await Promise.all([
      registered.external.list(),
      delegation.chainConfig(),
    ]);
    const { spenders } = await evmNetworksFromChainConfig(config);
    const source = { wallets: listed, node, spender: spenders, networks };
    const { wallets, leftOut } = await readEvmSpendingPower(source);
    list.replaceChildren(
      ...wallets.map(lineOf),
      ...leftOut.map(({ wallet }) =>
        element('li', {}, `${shortAddress(String(wallet?.address))} on ${wallet?.network}`),
      ),
    );
    if (listed.length === 0) list.replaceChildren(element('li', {}, 'No wallet yet.'));
  }

  function lineOf(power: EvmSpendingPower): HTMLElement {
    const { address, limit, currency } = power;
    const name = `${shortAddress(address)}, ${currency.toUpperCase()} on Linea`;
    const line = element('li', { className: 'limit' }, element('strong', {}, name));
    line.append(...barOf(power, name));
    if (limit !== '0') {
      const ariaLabel = `Revoke the limit of ${name}`;
      line.append(button(own, 'Revoke', () => revoke(power, name), { ariaLabel }));
    }
    return line;
  }

  async function revoke(power: EvmSpendingPower, name: string): Promise<void> {
    const { address, network, currency, spender } = power;
    const text = `The card can no longer pay from ${name}. You pay a network fee.`;
    if (!(await confirmInDialog('Revoke this limit?', text, 'Revoke', 'Keep it'))) return;
    const wallet = await walletWithAccount(address);
    if (wallet === undefined) return own.showStatus(`Connect the wallet ${address} first.`, 'bad');
    const saved = savedFlow(`revocation ${address} ${network} ${currency}`);
    let done = REVOKED;
    try {
      await revokeEvmDelegation({
        ...options,
        ...{ wallet, address, network, currency, spender },
        resume: saved.load(),
        onProgress: ({ message, needsUser, state }) => {
          saved.save(state);
          own.showStatus(needsUser ? `${message} (Your wallet is waiting.)` : message);
        },
      });
    } catch (error) {
      if (!isChainError(error, 'revocation_not_registered')) throw error;
      done = messageFor(error);
    }
    saved.clear();
    notifyChange(app);
    own.showStatus(done, 'good');
    reload.focus();
  }

  const reload = button(own, 'Refresh', refresh);
  const load = () => runAction(own, reload, refresh);
  own.body.append(list, reload);
  onChange(app, load);
  load();
  return own.root;
}

/** Shows how much can be spent now, out of the limit that the user set. */
function barOf(power: EvmSpendingPower, name: string): HTMLElement[] {
  const { cap, limit, spendable, balance, isUnlimited } = power;
  const unit = power.currency.toUpperCase();
  if (limit === '0') return [element('span', {}, 'The limit is zero: nothing can be spent.')];
  const isShort = Number(balance) < Number(limit);
  const note = isShort ? [quiet(`The wallet holds ${balance} ${unit}, less than the limit.`)] : [];
  if (cap === undefined || isUnlimited || Number(cap) === 0) {
    return [element('span', {}, `${spendable} ${unit} can be spent now`), ...note];
  }
  const text = `${spendable} of ${cap} ${unit} can be spent now`;
  const bar = element('progress', { max: Number(cap), value: Number(spendable) });
  bar.setAttribute('aria-label', `Limit of ${name}`);
  bar.setAttribute('aria-valuetext', text);
  return [element('span', { className: 'amount' }, text), bar, ...note];
}

const quiet = (text: string) => element('span', { className: 'quiet' }, text);
