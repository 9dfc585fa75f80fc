import { HISTORY_PAGE_SIZE, type WalletTransaction } from 'card-platform-sdk';
import { button, element, panel, runAction } from './elements.js';
import { type App, onChange } from './platform.js';

/** Shows the history of the credit wallet, page by page. */
export function historyPanel(app: App): HTMLElement {
  const own = panel('History');
  const entries = element('ul');
  const where = element('span', { className: 'quiet' });
  let page = 0;

  async function show(requestedPage: number): Promise<void> {
    const { id } = await app.userClient.wallets.credit.get();
    const wallet = { walletId: id ?? '', walletType: 'CREDIT' } as const;
    const found = await app.userClient.wallets.history.list({ ...wallet, page: requestedPage });
    page = requestedPage;
    entries.replaceChildren(...found.map(entryOf));
    if (found.length === 0) entries.replaceChildren(element('li', {}, 'Nothing yet.'));
    where.textContent = `Page ${page + 1}`;
    newer.hidden = page === 0;
    older.hidden = found.length < HISTORY_PAGE_SIZE;
  }

  const newer = button(own, 'Newer', () => show(page - 1), { hidden: true });
  const older = button(own, 'Older', () => show(page + 1), { hidden: true });
  own.body.append(entries, element('div', { className: 'row' }, newer, where, older));
  const reload = () => runAction(own, older, () => show(0));
  onChange(app, reload);
  reload();
  return own.root;
}

function entryOf({ name, amount, currency, sign, date }: WalletTransaction): HTMLElement {
  const day = new Date(date).toLocaleDateString(undefined, { dateStyle: 'medium' });
  const moved = `${sign === 'debit' ? '−' : '+'}${amount} ${currency.toUpperCase()}`;
  return element(
    'li',
    {},
    element('span', {}, name, ' ', element('span', { className: 'quiet' }, day)),
    element('span', { className: 'amount' }, moved),
  );
}
