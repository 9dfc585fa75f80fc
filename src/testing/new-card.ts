import type { MockClock } from './clock.js';
import type { Identifiers } from './identifiers.js';
import type { MockCard } from './state.js';

/** Returns a new card that expires in January, four years ahead. */
export function newCard(
  ids: Identifiers,
  clock: MockClock,
  card: Pick<MockCard, 'holderName' | 'status' | 'type' | 'activeAt'>,
): MockCard {
  return {
    id: ids.uuid(),
    expiryDate: `${new Date(clock.now()).getUTCFullYear() + 4}/01`,
    panLast4: ids.digits(4),
    pin: ids.digits(4),
    orderedAt: clock.iso(),
    cardAddedToDigitalWallet: false,
    ...card,
  };
}
