import type { MockClock } from './clock.js';
import type { Identifiers } from './identifiers.js';
import type { MockCard, MockUser } from './state.js';

/** Returns a new card that expires in January, four years ahead. */
export function newCard(
  ids: Identifiers,
  clock: MockClock,
  user: MockUser,
  card: Pick<MockCard, 'status' | 'type' | 'activeAt'>,
): MockCard {
  return {
    id: ids.uuid(),
    expiryDate: `${new Date(clock.now()).getUTCFullYear() + 4}/01`,
    panLast4: ids.digits(4),
    pin: ids.digits(4),
    orderedAt: clock.iso(),
    cardAddedToDigitalWallet: false,
    holderName: holderNameOf(user),
    ...card,
  };
}

/** Returns the name on a user's card, in upper case. */
function holderNameOf({ profile, email }: MockUser): string {
  const name = [profile['firstName'], profile['lastName']].filter(Boolean).join(' ');
  return (name || email.split('@')[0] || '').toUpperCase();
}
