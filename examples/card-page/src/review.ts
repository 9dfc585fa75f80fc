import type { EvmDelegationPreview } from 'card-platform-sdk/evm';
import { formatEther } from 'viem';
import { element } from './elements.js';
import { shortAddress } from './own-wallet.js';

/** Whether the delegation can be started. */
export function canStart({ problems }: EvmDelegationPreview): boolean {
  return problems.every(({ isBlocking }) => !isBlocking);
}

/** Shows what a delegation would do, before the wallet asks the user. */
export function reviewOf(preview: EvmDelegationPreview, isOnNetwork: boolean): HTMLElement {
  const { amount, oldLimit, spender, token, owner, tokenBalance, transactions } = preview;
  const unit = preview.currency.toUpperCase();
  const heading = element('h3', { id: 'review', tabIndex: -1 }, 'Before you approve');
  const facts = element(
    'dl',
    {},
    ...fact('You allow', `up to ${amount} ${unit}`),
    ...fact('Your limit now', oldLimit === '0' ? 'none' : `${oldLimit} ${unit}. It is replaced.`),
    ...fact('Who may spend', 'The card platform’s contract', spender),
    ...fact('Token', `${unit} on Linea`, token),
    ...fact('Your wallet', `${shortAddress(owner)} holds ${tokenBalance ?? '?'} ${unit}`),
    ...fact('Network fee', feeOf(preview)),
    ...fact(
      'Your wallet asks',
      `${isOnNetwork ? '' : 'to switch the network, '}for a signature, which is free, and for ${
        transactions === 1 ? 'a transaction' : 'two transactions'
      }`,
    ),
  );
  const root = element('div', { className: 'review' }, heading, facts);
  root.append(problemsOf(preview, isOnNetwork));
  root.setAttribute('role', 'group');
  root.setAttribute('aria-labelledby', heading.id);
  return root;
}

function fact(name: string, text: string, address?: string): HTMLElement[] {
  const shown = element('dd', {}, text);
  if (address !== undefined) shown.append(element('code', {}, address));
  return [element('dt', {}, name), shown];
}

function feeOf({ estimatedFee, nativeBalance }: EvmDelegationPreview): string {
  const held = nativeBalance === undefined ? '' : `. You have ${coins(nativeBalance)}.`;
  return estimatedFee === undefined
    ? `shown by your wallet${held}`
    : `about ${coins(estimatedFee)}${held}`;
}

function coins(wei: string): string {
  const shown = Number(formatEther(BigInt(wei)));
  return `${shown.toLocaleString(undefined, { maximumSignificantDigits: 3 })} ETH`;
}

function problemsOf({ problems }: EvmDelegationPreview, isOnNetwork: boolean): HTMLElement {
  const lines = problems.map(({ code, isBlocking, message }) =>
    code === 'no-gas'
      ? problem('Problem', `${message} We ask for some coins for it first.`)
      : problem(isBlocking ? 'Problem' : 'Note', message),
  );
  if (!isOnNetwork) lines.unshift(problem('Problem', 'Your wallet is on another network.'));
  if (lines.length === 0) lines.push(element('li', { className: 'good' }, 'No problems found.'));
  return element('ul', { className: 'problems' }, ...lines);
}

/** The word repeats what the colour shows. */
function problem(kind: 'Problem' | 'Note', text: string): HTMLElement {
  return element(
    'li',
    {},
    element('strong', { className: kind === 'Problem' ? 'bad' : 'quiet' }, kind),
    element('span', {}, text),
  );
}
