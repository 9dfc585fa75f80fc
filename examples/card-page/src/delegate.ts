import { isApiError } from 'card-platform-sdk';
import {
  type DelegationProgress,
  delegateEvm,
  delegationStateOf,
  type Eip1193Provider,
  type EvmDelegationPreview,
  isChainError,
  previewEvmDelegation,
  say,
  switchEvmNetwork,
} from 'card-platform-sdk/evm';
import { button, element, field, form, panel } from './elements.js';
import { CHAIN_ID, type ChainSettings, ownWalletOptions, savedFlow } from './own-wallet.js';
import { type App, notifyChange } from './platform.js';
import { canStart, reviewOf } from './review.js';
import { discoveredWallet, discoverWallets } from './wallet-discovery.js';

const saved = savedFlow('delegation');

/** Lets the card spend from the user's own wallet: shows what would happen, then does it. */
export function delegatePanel(app: App, chain: ChainSettings): HTMLElement {
  const own = panel('Pay from your own wallet');
  const options = ownWalletOptions(app, chain);
  const choice = element('select', { required: true });
  const walletField = element('label', { className: 'field' }, 'Wallet', choice);
  const amount = field('Spending limit in USDC', {
    inputMode: 'decimal',
    required: true,
    value: saved.load()?.request['amount'] ?? '250',
  });
  const bar = element('progress', { value: 0, max: 1, hidden: true });
  bar.setAttribute('aria-label', 'Progress of the delegation');
  const step = element('div');
  own.body.append(walletField, step, bar);

  discoverWallets(({ info }) => {
    choice.append(element('option', { value: info.uuid }, info.name));
  });

  async function connect(): Promise<Eip1193Provider | undefined> {
    const wallet = discoveredWallet(choice.value);
    if (wallet === undefined) own.showStatus('No wallet was found in this browser.', 'bad');
    await wallet?.request({ method: 'eth_requestAccounts' });
    return wallet;
  }

  /** Asks for the limit, or offers to continue an interrupted delegation. */
  function ask(): void {
    const state = saved.load();
    amount.input.readOnly = state !== undefined;
    if (state === undefined) {
      step.replaceChildren(form(own, 'Review', review, amount.label));
      return;
    }
    const restart = async () => {
      saved.clear();
      own.showStatus('');
      ask();
    };
    step.replaceChildren(
      element('p', {}, `Your delegation of ${amount.input.value} USDC is not finished.`),
      element(
        'div',
        { className: 'row' },
        button(own, 'Continue', () => delegate(), { className: 'main' }),
        // An approval may have been sent, and must not be requested twice.
        ...(state.approval === undefined ? [button(own, 'Start again', restart)] : []),
      ),
    );
  }

  async function review(): Promise<void> {
    const wallet = await connect();
    if (wallet === undefined) return;
    const request = { ...options, wallet, amount: amount.input.value };
    const preview = await previewEvmDelegation(request);
    const isOnNetwork = Number(await wallet.request({ method: 'eth_chainId' })) === CHAIN_ID;
    const shown = reviewOf(preview, isOnNetwork);
    const start = isOnNetwork
      ? button(own, 'Approve in your wallet', () => delegate(preview), { className: 'main' })
      : button(own, 'Switch to Linea', () => useLinea(wallet), { className: 'main' });
    step.replaceChildren(
      shown,
      element(
        'div',
        { className: 'row' },
        ...(canStart(preview) ? [start] : []),
        button(own, 'Change', async () => {
          ask();
          amount.input.focus();
        }),
      ),
    );
    shown.querySelector('h3')?.focus();
  }

  async function useLinea(wallet: Eip1193Provider): Promise<void> {
    own.showStatus('Switch the network in your wallet.');
    await switchEvmNetwork({ wallet, chainId: CHAIN_ID, details: options.switchNetwork });
    await review();
    own.showStatus('Your wallet is on Linea now.', 'good');
  }

  function show({ position, total, message, needsUser, state }: DelegationProgress): void {
    saved.save(state);
    Object.assign(bar, { hidden: false, value: position, max: total });
    own.showStatus(needsUser ? `${message} (Your wallet is waiting.)` : message);
  }

  async function delegate(preview?: EvmDelegationPreview): Promise<void> {
    const state = saved.load();
    const wallet = await connect();
    if (wallet === undefined) return;
    try {
      const result = await delegateEvm({
        ...options,
        wallet,
        amount: amount.input.value,
        // The user approves the contract that the page has shown, and no other one.
        confirmSpender: (spender) => spender === (preview?.spender ?? state?.request['spender']),
        resume: state,
        onProgress: show,
      });
      saved.clear();
      notifyChange(app);
      own.showStatus(
        `Done: the card may spend up to ${result.amount} USDC from your wallet.`,
        'good',
      );
    } catch (error) {
      const isOther = isChainError(error, 'approval_mismatch');
      if (isOther) amount.input.value = error.approvedAmount ?? amount.input.value;
      // The approval is on the chain, but the service refused its proof.
      const isRefused = isApiError(error) && delegationStateOf(error)?.approval !== undefined;
      if (!isRefused) throw error;
      own.showStatus(say(error), 'bad');
    } finally {
      bar.hidden = true;
      ask();
    }
  }

  ask();
  return own.root;
}
