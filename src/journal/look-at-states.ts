import { cardStatus } from '../contract/card.js';
import { listExternalWallets } from '../contract/external-wallets.js';
import { isPositiveDecimal } from '../contract/formats/decimal.js';
import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { listInternalWallets, listLinkedWallets } from '../contract/internal-wallets.js';
import { listWebhooks } from '../contract/webhooks.js';
import { decideByCount, undecided } from './count-effects.js';
import { readTime } from './entry-times.js';
import type { Look, LookContext } from './look.js';
import type { Row } from './reads.js';
import { isSameAddress } from './same-address.js';
import { isSameAmount } from './same-amount.js';
import { executed, notExecuted } from './state-finding.js';

/** Looks at the card: the service shows when it was ordered. */
export const lookAtCardOrder: Look = async (context) => {
  const { reads, entry, timesOf } = context;
  const card = (await reads.read(cardStatus, {})) as Row | null | undefined;
  if (card === null) return notExecuted(context, 'the user has no card');
  if (card === undefined) return undecided('the service does not show the card');
  reads.show('card.status', [card], ['id', 'status', 'orderedAt']);
  const ordered = readTime(card['orderedAt']);
  const times = timesOf(entry);
  if (times.isLikely(ordered)) return executed(context, 'the card was ordered at that time');
  if (times.isPossible(ordered) || card['status'] === 'BLOCKED') {
    return undecided('the card does not show whether it is the ordered one');
  }
  return notExecuted(context, 'the card is older than the request, and a user has only one');
};

/** Looks at the card. It may be frozen again at any time, so a frozen one proves nothing. */
export const lookAtUnfreeze: Look = async (context) => {
  const { reads, entry, timesOf } = context;
  const card = (await reads.read(cardStatus, {})) as Row | null | undefined;
  if (card == null) return undecided('the service does not show the card');
  reads.show('card.status', [card], ['id', 'status', 'orderedAt']);
  if (card['status'] !== 'ACTIVE') {
    return undecided('the card is not active; it may have been frozen again');
  }
  const isNew = timesOf(entry).isPossible(readTime(card['orderedAt']));
  return isNew
    ? undecided('the card is active, but it may be a new one that was never frozen')
    : executed(context, 'the card is active');
};

/** Looks for a wallet in the list of registered wallets. */
export const lookAtRegistration: Look = async (context) => {
  const { address = '', currency = '', network = '', amount = '' } = context.entry.details;
  const rows = await context.reads.list(listExternalWallets, {});
  if (rows === undefined || rows.some((row) => typeof row['address'] !== 'string')) {
    return undecided('the service does not list the registered wallets');
  }
  const own = rows.filter(
    (row) =>
      isSameAddress(row['address'], address) &&
      (row['currency'] == null || equalsIgnoringCase(row['currency'], currency)) &&
      (row['network'] == null || equalsIgnoringCase(row['network'], network)),
  );
  const fields = ['address', 'currency', 'network', 'allowance'];
  context.reads.show('wallets.external.list', own, fields);
  const isRevocation = !isPositiveDecimal(amount);
  if (own.length === 0) {
    return isRevocation
      ? executed(context, 'the wallet is not registered any more')
      : notExecuted(context, 'the wallet is not registered');
  }
  return own.length === 1 && isSameAmount(String(own[0]?.['allowance']), amount)
    ? executed(context, 'the wallet is registered with this allowance')
    : undecided('the wallet is registered with another allowance, or more than once');
};

async function isLinked({ reads, entry }: LookContext): Promise<boolean | undefined> {
  const wallets = await reads.list(listInternalWallets, {});
  const own = wallets?.find(({ addressId }) => addressId === entry.details['addressId']);
  const linked = await reads.list(listLinkedWallets, {});
  if (own === undefined || linked === undefined) return undefined;
  const isOwn = (row: Row) =>
    row['id'] === own['id'] ||
    (row['address'] === own['address'] &&
      equalsIgnoringCase(row['currency'], String(own['currency'])));
  // A row without id and address could be any wallet.
  if (linked.some((row) => row['id'] == null && row['address'] == null)) return undefined;
  reads.show('wallets.internal.listLinked', linked.filter(isOwn), ['id', 'address', 'currency']);
  return linked.some(isOwn);
}

const UNREADABLE_LINK = 'the service does not show whether the wallet is linked to the card';

/** Looks up whether a wallet is linked to the card. */
export const lookAtLink: Look = async (context) => {
  const linked = await isLinked(context);
  if (linked === undefined) return undecided(UNREADABLE_LINK);
  return linked
    ? executed(context, 'the wallet is linked to the card')
    : notExecuted(context, 'the wallet is not linked to the card');
};

/** Looks up whether a wallet is no longer linked to the card. */
export const lookAtUnlink: Look = async (context) => {
  const linked = await isLinked(context);
  if (linked === undefined) return undecided(UNREADABLE_LINK);
  return linked
    ? notExecuted(context, 'the wallet is still linked to the card')
    : executed(context, 'the wallet is not linked to the card');
};

/** Looks at the custodial wallets. They show neither network nor age, so only their absence counts. */
export const lookAtCreatedWallets: Look = async (context) => {
  const { wallets: requested = '' } = context.entry.details;
  const rows = await context.reads.list(listInternalWallets, {});
  const currencies = requested.split(',').flatMap((pair) => pair.split(':')[1] ?? []);
  if (rows === undefined || currencies.length === 0) {
    return undecided('the service does not list the wallets, or the request names no currency');
  }
  const found = rows.filter((row) =>
    currencies.some(
      (currency) => row['currency'] == null || equalsIgnoringCase(row['currency'], currency),
    ),
  );
  context.reads.show('wallets.internal.list', found, ['id', 'currency', 'address']);
  return found.length === 0
    ? notExecuted(context, 'the user has no wallet of these currencies')
    : undecided('the list does not show when a wallet was created');
};

/** Looks for webhooks of this name that were created at that time. */
export const lookAtCreatedWebhook: Look = async (context) => {
  const { reads, entry } = context;
  const rows = await reads.list(listWebhooks, {});
  if (rows === undefined) return undecided('the service does not list the webhooks');
  const named = rows.filter(({ name }) => name == null || name === entry.details['name']);
  reads.show('webhooks.list', named, ['id', 'name', 'createdAt']);
  const effects = named.map(({ name, createdAt }) => ({
    time: readTime(createdAt),
    isOf: (details: Readonly<Record<string, string>>) => name === details['name'],
    mayBeOf: () => name == null,
  }));
  return decideByCount(context, effects);
};
