import { type Behaviours, type MockCall, ok, refuse, textOf } from '../behaviour.js';
import type { MockPage, MockUser } from '../state.js';

const PROVISIONING_MS = 3_000;
const PAGE_LIFETIME_MS = 10 * 60_000;
const TRANSACTIONS_PER_PAGE = 20;

const cardNotFound = () => refuse(404, 'Card not found');

/** A page of the service that can be looked at once. */
function openPage(call: MockCall, shows: MockPage['shows']) {
  const { state, clock, ids, baseUrl, input, user } = call;
  const token = ids.uuid();
  const { redirectUrl, isEmbedded } = input;
  state.pages.push({
    ...{ token, shows, userId: user.id, isSeen: false },
    isEmbedded: isEmbedded === true,
    redirectUrl: typeof redirectUrl === 'string' ? redirectUrl : undefined,
    expiresAt: clock.now() + PAGE_LIFETIME_MS,
  });
  const path = shows === 'set-pin' ? 'set-pin' : 'details-image';
  return { token, url: `${baseUrl}/${path}?token=${token}` };
}

const image = (shows: MockPage['shows']) => (call: MockCall) => {
  if (call.user.card === null) return cardNotFound();
  const { token, url } = openPage(call, shows);
  return ok({ token, imageUrl: url });
};

function holderOf({ profile, email }: MockUser): string {
  const name = [profile['firstName'], profile['lastName']].filter(Boolean).join(' ');
  return (name || email.split('@')[0] || '').toUpperCase();
}

/** The card of a user. */
export const cardBehaviours: Behaviours = {
  'card.order': (call) => {
    const { user, clock, ids } = call;
    if (user.card !== null && user.card.status !== 'BLOCKED')
      return refuse(400, 'User already has a card');
    if (user.verificationState !== 'VERIFIED') return refuse(400, 'User is not verified');
    user.card = {
      id: ids.uuid(),
      holderName: holderOf(user),
      expiryDate: `${new Date(clock.now()).getUTCFullYear() + 4}/01`,
      panLast4: ids.digits(4),
      pin: ids.digits(4),
      status: 'PENDING',
      type: textOf(call, 'type'),
      orderedAt: clock.iso(),
      activeAt: clock.now() + PROVISIONING_MS,
    };
    return ok({ success: true });
  },

  'card.status': (call) => {
    const { card } = call.user;
    if (card === null) return cardNotFound();
    const { activeAt, pin, ...shown } = card;
    return ok(shown);
  },

  'card.freeze': (call) => {
    const { card } = call.user;
    if (card === null) return cardNotFound();
    if (card.status === 'FROZEN') return refuse(400, 'Card is already frozen');
    if (card.status !== 'ACTIVE') return refuse(400, `Card is ${card.status.toLowerCase()}`);
    card.status = 'FROZEN';
    return ok({ success: true });
  },

  'card.unfreeze': (call) => {
    const { card } = call.user;
    if (card === null) return cardNotFound();
    if (card.status !== 'FROZEN') return refuse(400, 'Card is not frozen');
    card.status = 'ACTIVE';
    return ok({ success: true });
  },

  'card.createDetailsToken': image('details'),
  'card.createPinToken': image('pin'),

  'card.createSetPinToken': (call) => {
    if (call.user.card === null) return cardNotFound();
    const { token, url } = openPage(call, 'set-pin');
    return ok({ token, hostedPageUrl: url });
  },

  'card.transactions': ({ user, input }) => {
    const { cardTransactions: all } = user;
    const start = Number(input['page'] ?? 0) * TRANSACTIONS_PER_PAGE;
    // A page past the end answers page 0 again: seen, and the reason why pagers detect repeats.
    const from = start < all.length ? start : 0;
    return ok(all.slice(from, from + TRANSACTIONS_PER_PAGE));
  },
};
