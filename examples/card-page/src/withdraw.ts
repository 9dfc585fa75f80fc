import { isCardPlatformError } from 'card-platform-sdk';
import { element, field, form, panel } from './elements.js';
import { type App, notifyChange } from './platform.js';

/** Withdraws from the credit wallet to the user's own wallet, and shows an unknown outcome as such. */
export function withdrawPanel(app: App): HTMLElement {
  const own = panel('Withdraw');
  const amount = field('Amount in USDC', {
    inputMode: 'decimal',
    required: true,
    placeholder: '25.00',
  });
  const fee = element('p', { className: 'quiet' }, 'To your own wallet on Linea.');

  async function withdraw(): Promise<void> {
    try {
      const { txHash } = await app.userClient.wallets.credit.withdraw({
        amount: amount.input.value,
      });
      own.showStatus(`On its way: ${txHash}`, 'good');
      amount.input.value = '';
    } catch (error) {
      const isOpen = isCardPlatformError(error) && error.outcome === 'unknown';
      if (!isOpen) throw error;
      // The service has no idempotency key: a second click could pay a second time.
      controls.disabled = true;
      own.showStatus(
        'We do not know whether your money was sent. Check the history and your own wallet ' +
          'before you try again. To be safe, this form is locked until you reload the page.',
        'bad',
      );
    } finally {
      notifyChange(app);
    }
  }

  const controls = element('fieldset', {}, form(own, 'Withdraw', withdraw, amount.label));
  controls.style.cssText = 'border:0;margin:0;padding:0';
  own.body.append(fee, controls);
  app.userClient.wallets.credit.estimateWithdrawal().then(
    ({ usdc }) => fee.append(usdc ? ` The network fee is about ${usdc} USDC.` : ''),
    () => undefined,
  );
  return own.root;
}
