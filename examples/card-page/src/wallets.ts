import type { InternalWallet } from 'card-platform-sdk';
import { button, element, panel, runAction } from './elements.js';
import { shortAddress } from './own-wallet.js';
import { type App, notifyChange, onChange } from './platform.js';

/** Shows the custodial wallets and which of them pay for the card. */
export function walletsPanel(app: App): HTMLElement {
  const own = panel('Wallets');
  const { internal, credit } = app.userClient.wallets;

  async function refresh(): Promise<void> {
    const [wallets, linked, { balance }] = await Promise.all([
      internal.list(),
      internal.listLinked(),
      credit.get(),
    ]);
    const paying = new Set(linked.map(({ id }) => id));
    own.body.replaceChildren(
      element(
        'ul',
        {},
        line('Credit', `${balance ?? '?'} USDC`),
        ...wallets.map((wallet) => internalLine(wallet, paying.has(wallet.id))),
      ),
      reload,
    );
  }

  function internalLine({ addressId, balance, currency, address }: InternalWallet, pays: boolean) {
    const change = async () => {
      await (pays ? internal.unlinkFromCard({ addressId }) : internal.linkToCard({ addressId }));
      notifyChange(app);
    };
    const text = pays ? 'Stop paying with it' : 'Pay with it';
    const control = button(own, text, change, {
      ariaLabel: `${text}: ${currency} ${shortAddress(address)}`,
    });
    const held = `${balance} ${currency.toUpperCase()}`;
    return line(`Wallet ${shortAddress(address)}${pays ? ' · pays' : ''}`, held, control);
  }

  const reload = button(own, 'Refresh', refresh);
  const load = () => runAction(own, reload, refresh);
  own.body.append(reload);
  onChange(app, load);
  load();
  return own.root;
}

function line(name: string, amount: string, ...controls: readonly Node[]): HTMLElement {
  const shown = element('span', { className: 'amount' }, amount);
  return element('li', {}, element('span', {}, name), shown, ...controls);
}
