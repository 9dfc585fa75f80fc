import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { custodial, errorResponse, type MockResponse, ok } from '../behaviour.js';
import type { MockExternalWallet } from '../state.js';
import type { ObservedBehaviours, ObservedCall } from './observed-call.js';
import type { MockWalletPriority } from './state.js';

/** High enough that no id is mistaken for a position in the list. */
const FIRST_ID = 1001;

const isSameWallet = (one: MockWalletPriority, wallet: MockExternalWallet) =>
  equalsIgnoringCase(one.address, wallet.address) &&
  equalsIgnoringCase(one.currency, wallet.currency) &&
  equalsIgnoringCase(one.network, wallet.network);

const afterHighest = (values: readonly number[], first: number) =>
  values.reduce((next, value) => Math.max(next, value + 1), first);

/** Returns the order of the user's own wallets. A new wallet comes last. */
function externalOrder({ observed, user }: ObservedCall): MockWalletPriority[] {
  const { externalPriorities: all } = observed;
  const rows: MockWalletPriority[] = [];
  for (const wallet of user.externalWallets) {
    const { address, currency, network } = wallet;
    const own = all.filter(({ userId }) => userId === user.id);
    const known = own.find((one) => isSameWallet(one, wallet));
    const id = afterHighest(
      all.map((one) => one.id),
      FIRST_ID,
    );
    const priority = afterHighest(
      own.map((one) => one.priority),
      1,
    );
    const row = known ?? { userId: user.id, id, address, currency, network, priority };
    if (known === undefined) all.push(row);
    rows.push(row);
  }
  return rows.sort((one, other) => one.priority - other.priority);
}

/** Returns the refusal of an order that is incomplete, or repeats a wallet or a priority. */
function refusedOrder(
  known: readonly unknown[],
  given: readonly unknown[],
  priorities: readonly number[],
): MockResponse | undefined {
  const isComplete = given.length === known.length && known.every((one) => given.includes(one));
  if (!isComplete) return errorResponse(422, 'All wallets must be given, each once');
  if (new Set(priorities).size < priorities.length || priorities.some((one) => one < 0)) {
    return errorResponse(422, 'Each wallet must have a different priority, at least 0');
  }
  return undefined;
}

/** The order in which wallets pay: the lowest number pays first. */
export const priorityBehaviours: ObservedBehaviours = {
  'wallets.external.getPriority': (call) =>
    ok(externalOrder(call).map(({ userId: _, ...shown }) => shown)),

  'wallets.external.setPriority': (call) => {
    const given = call.input['wallets'] as { id: number; priority: number }[];
    const order = externalOrder(call);
    const refusal = refusedOrder(
      order.map(({ id }) => id),
      given.map(({ id }) => id),
      given.map(({ priority }) => priority),
    );
    if (refusal !== undefined) return refusal;
    const byId = new Map(given.map(({ id, priority }) => [id, priority]));
    for (const row of order) row.priority = byId.get(row.id) ?? row.priority;
    const placeOf = (wallet: MockExternalWallet) =>
      order.find((row) => isSameWallet(row, wallet))?.priority ?? 0;
    call.user.externalWallets.sort((one, other) => placeOf(one) - placeOf(other));
    return ok({ success: true });
  },

  'wallets.internal.setLinkedPriority': custodial((call) => {
    const { user, observed } = call;
    const given = call.input['wallets'] as { addressId: string; priority: number }[];
    const refusal = refusedOrder(
      user.linkedWallets,
      given.map(({ addressId }) => addressId),
      given.map(({ priority }) => priority),
    );
    if (refusal !== undefined) return refusal;
    const sorted = [...given].sort((one, other) => one.priority - other.priority);
    user.linkedWallets = sorted.map(({ addressId }) => addressId);
    observed.linkedPriorities = [
      ...observed.linkedPriorities.filter(({ userId }) => userId !== user.id),
      ...sorted.map(({ addressId, priority }) => ({ userId: user.id, addressId, priority })),
    ];
    return ok({ success: true });
  }),
};
