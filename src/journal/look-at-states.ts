import { cardStatus } from '../contract/card.js';
import { listExternalWallets } from '../contract/external-wallets.js';
import { isPositiveDecimal } from '../contract/formats/decimal.js';
import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { listInternalWallets, listLinkedWallets } from '../contract/internal-wallets.js';
import { listWebhooks } from '../contract/webhooks.js';
import type { LookResult, LookTools } from './own-reconcile.js';
import type { Reads, Row } from './reads.js';
import { isSameAddress, isSameAmount } from './same-values.js';

/** Looks for the effect of a request of the contract, by reads only. */
export type ContractLook = (tools: LookTools, reads: Reads) => Promise<LookResult>;

/** A look that does not show what became of the request. */
export const unclear = (reason: string): LookResult => ({ isDone: undefined, reason });

async function readCard(reads: Reads): Promise<Row | null | undefined> {
  const card = (await reads.read(cardStatus, {})) as Row | null | undefined;
  if (card != null) reads.show('card.status', [card], ['id', 'status', 'orderedAt']);
  return card;
}

/** Looks at the card: the service shows when it was ordered. */
export const lookAtCardOrder: ContractLook = async ({ isTooOld }, reads) => {
  const card = await readCard(reads);
  if (card === undefined) return unclear('the service does not show the card');
  if (card === null) return { effects: [] };
  const time = card['orderedAt'] as string | null | undefined;
  if (isTooOld(time) && card['status'] === 'BLOCKED') {
    return unclear('the service shows a blocked card, which a new one may replace');
  }
  return { effects: [{ time, matches: () => true }] };
};

/** Looks at the card. It may be frozen again at any time, so a frozen one proves nothing. */
export const lookAtUnfreeze: ContractLook = async ({ isTooOld }, reads) => {
  const card = await readCard(reads);
  if (card == null) return unclear('the service does not show the card');
  if (card['status'] !== 'ACTIVE') {
    return unclear('the card is not active; it may have been frozen again');
  }
  return isTooOld(card['orderedAt'] as string | null | undefined)
    ? { isDone: true, reason: 'the card is active' }
    : unclear('the card is active, but it may be a new one that was never frozen');
};

/** Looks for a wallet in the list of registered wallets. */
export const lookAtRegistration: ContractLook = async ({ details }, reads) => {
  const { address = '', currency = '', network = '', amount = '' } = details;
  const rows = await reads.list(listExternalWallets, {});
  if (rows === undefined || rows.some((row) => typeof row['address'] !== 'string')) {
    return unclear('the service does not list the registered wallets');
  }
  const own = rows.filter(
    (row) =>
      isSameAddress(row['address'], address) &&
      (row['currency'] == null || equalsIgnoringCase(row['currency'], currency)) &&
      (row['network'] == null || equalsIgnoringCase(row['network'], network)),
  );
  const fields = ['address', 'currency', 'network', 'allowance'];
  reads.show('wallets.external.list', own, fields);
  if (own.length === 0) {
    const isDone = !isPositiveDecimal(amount);
    return { isDone, reason: 'the wallet is not registered' };
  }
  return own.length === 1 && isSameAmount(String(own[0]?.['allowance']), amount)
    ? { isDone: true, reason: 'the wallet is registered with this allowance' }
    : unclear('the wallet is registered with another allowance, or more than once');
};

const UNREADABLE_LINK = 'the service does not show whether the wallet is linked to the card';

/** Looks up whether a wallet is linked to the card, or no longer linked. */
const lookAtLinkedWallets =
  (isWanted: boolean): ContractLook =>
  async ({ details }, reads) => {
    const wallets = await reads.list(listInternalWallets, {});
    const own = wallets?.find(({ addressId }) => addressId === details['addressId']);
    const rows = await reads.list(listLinkedWallets, {});
    if (own === undefined || rows === undefined) return unclear(UNREADABLE_LINK);
    // A row without id and address could be any wallet.
    if (rows.some((row) => row['id'] == null && row['address'] == null)) {
      return unclear(UNREADABLE_LINK);
    }
    const linked = rows.filter(
      (row) =>
        row['id'] === own['id'] ||
        (row['address'] === own['address'] &&
          equalsIgnoringCase(row['currency'], String(own['currency']))),
    );
    reads.show('wallets.internal.listLinked', linked, ['id', 'address', 'currency']);
    const isLinked = linked.length > 0;
    const reason = `the wallet is ${isLinked ? '' : 'not '}linked to the card`;
    return { isDone: isLinked === isWanted, reason };
  };

/** Looks up whether a wallet is linked to the card. */
export const lookAtLink = lookAtLinkedWallets(true);
/** Looks up whether a wallet is no longer linked to the card. */
export const lookAtUnlink = lookAtLinkedWallets(false);

/** Looks at the custodial wallets. They show neither network nor age, so only their absence counts. */
export const lookAtCreatedWallets: ContractLook = async ({ details }, reads) => {
  const rows = await reads.list(listInternalWallets, {});
  const currencies = (details['wallets'] ?? '')
    .split(',')
    .flatMap((pair) => pair.split(':')[1] ?? []);
  if (rows === undefined || currencies.length === 0) {
    return unclear('the service does not list the wallets, or the request has no currency');
  }
  const found = rows.filter((row) =>
    currencies.some(
      (currency) => row['currency'] == null || equalsIgnoringCase(row['currency'], currency),
    ),
  );
  reads.show('wallets.internal.list', found, ['id', 'currency', 'address']);
  return found.length === 0
    ? { isDone: false, reason: 'the user has no wallet of these currencies' }
    : unclear('the list does not show when a wallet was created');
};

/** Looks for webhooks of this name that were created at that time. */
export const lookAtCreatedWebhook: ContractLook = async ({ details }, reads) => {
  const rows = await reads.list(listWebhooks, {});
  if (rows === undefined) return unclear('the service does not list the webhooks');
  const named = rows.filter(({ name }) => name == null || name === details['name']);
  reads.show('webhooks.list', named, ['id', 'name', 'createdAt']);
  const effects = named.map(({ name, createdAt }) => ({
    time: createdAt as string | null | undefined,
    matches: (other: Readonly<Record<string, string>>) =>
      name == null ? ('maybe' as const) : name === other['name'],
  }));
  return { effects };
};
