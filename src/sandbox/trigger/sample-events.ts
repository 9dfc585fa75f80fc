import { cardActivated, paymentMade, verificationChanged } from '../../testing/events.js';
import { createMockPlatform } from '../../testing/index.js';

/** The data of an event. */
export type EventData = Readonly<Record<string, unknown>>;

/**
 * Returns an event of each type that the mock platform delivers by itself. The contract documents no
 * data of an event, and no type for a declined payment: those are the mock's own.
 */
export function sampleEvents(): ReadonlyMap<string, EventData> {
  const platform = createMockPlatform({ startsAt: Date.now() });
  const pending = platform.users.add({ card: 'PENDING' });
  const active = platform.users.add({
    card: 'ACTIVE',
    wallets: [{ network: 'linea', currency: 'usdc', balance: '100', isLinked: true }],
  });
  const cleared = platform.cards.pay(active, { amount: '3.50', merchant: 'Bakery' });
  const declined = platform.cards.pay(active, { amount: '500', merchant: 'Bakery' });
  platform.cards.provision(pending);
  const { card } = pending;
  const events = [
    verificationChanged(active, 'PENDING'),
    ...(card === null ? [] : [cardActivated(pending, card)]),
    paymentMade(active, cleared),
    paymentMade(active, declined),
  ];
  return new Map(events.map(({ type, data }) => [type, data]));
}
