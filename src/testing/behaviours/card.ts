import {
  type Behaviours,
  cardNotFound,
  errorResponse,
  type MockCall,
  ok,
  textOf,
  withCard,
} from '../behaviour.js';
import { newCard } from '../new-objects.js';
import type { MockCardTransaction, MockPage } from '../state.js';

type Filters = Readonly<Record<string, unknown>>;

const textIn = (transaction: MockCardTransaction, field: string) => {
  const value = transaction[field];
  return typeof value === 'string' ? value : '';
};

/** The fields in which a search looks for its key, ignoring case. */
const SEARCHED = ['merchantNameLocation', 'merchantType', 'mccCategory', 'transactionId'];

/** Returns the card transactions that pass the filters of a request. */
export function filterTransactions(
  all: readonly MockCardTransaction[],
  { dateFrom, dateTo, searchKey, mccCategories }: Filters,
): readonly MockCardTransaction[] {
  const key = typeof searchKey === 'string' ? searchKey.toLowerCase() : '';
  const categories =
    typeof mccCategories === 'string' && mccCategories !== '' ? mccCategories.split(',') : [];
  return all.filter((transaction) => {
    const day = textIn(transaction, 'dateTime').slice(0, 10);
    const isInTime =
      typeof dateFrom !== 'string' ||
      typeof dateTo !== 'string' ||
      (day >= dateFrom && day <= dateTo);
    const isFound = SEARCHED.some((field) =>
      textIn(transaction, field).toLowerCase().includes(key),
    );
    const isOfCategory =
      categories.length === 0 ||
      categories.some((category) => category.trim() === textIn(transaction, 'mccCategory'));
    return isInTime && isFound && isOfCategory;
  });
}

const PROVISIONING_MS = 3_000;
const PAGE_LIFETIME_MS = 10 * 60_000;
const TRANSACTIONS_PER_PAGE = 20;

/** Creates a single-use page and returns its token and URL. */
function createPage(call: MockCall, kind: MockPage['kind']) {
  const { state, clock, ids, baseUrl, input, user } = call;
  const token = ids.token();
  const { redirectUrl, isEmbedded, customCss } = input;
  state.pages.push({
    token,
    kind,
    userId: user.id,
    isUsed: false,
    customCss: { ...(customCss as MockPage['customCss'] | undefined) },
    isEmbedded: isEmbedded === true,
    redirectUrl: typeof redirectUrl === 'string' ? redirectUrl : undefined,
    expiresAt: clock.now() + PAGE_LIFETIME_MS,
  });
  const path = kind === 'set-pin' ? 'set-pin' : 'details-image';
  return { token, url: `${baseUrl}/${path}?token=${token}` };
}

const createImage = (kind: MockPage['kind']) =>
  withCard((call: MockCall) => {
    const { token, url } = createPage(call, kind);
    return ok({ token, imageUrl: url });
  });

/** Behaviours of the card endpoints. */
export const cardBehaviours: Behaviours = {
  'card.order': (call) => {
    const { user, clock, ids } = call;
    if (user.card !== null && user.card.status !== 'BLOCKED')
      return errorResponse(400, 'User already has a card');
    if (user.verificationState !== 'VERIFIED') {
      const status = user.notVerifiedStatus ?? call.state.choices.notVerifiedStatus;
      return errorResponse(status, 'User is not verified');
    }
    user.card = newCard(ids, clock, user, {
      status: 'PENDING',
      type: textOf(call, 'type'),
      activeAt: clock.now() + PROVISIONING_MS,
    });
    return ok({ success: true });
  },

  'card.status': withCard((call, card) => {
    const isHidden = call.state.choices.pendingCard === 'not-found';
    if (card.status === 'PENDING' && isHidden) return cardNotFound();
    const { activeAt, pin, ...shown } = card;
    return ok({ ...shown, isFreezable: card.status === 'ACTIVE' });
  }),

  'card.freeze': withCard((_call, card) => {
    if (card.status === 'FROZEN') return errorResponse(400, 'Card is already frozen');
    if (card.status !== 'ACTIVE') return errorResponse(400, `Card is ${card.status.toLowerCase()}`);
    card.status = 'FROZEN';
    return ok({ success: true });
  }),

  'card.unfreeze': withCard((_call, card) => {
    if (card.status !== 'FROZEN') return errorResponse(400, 'Card is not frozen');
    card.status = 'ACTIVE';
    return ok({ success: true });
  }),

  'card.createDetailsToken': createImage('details'),
  'card.createPinToken': createImage('pin'),

  'card.createSetPinToken': withCard((call) => {
    const { token, url } = createPage(call, 'set-pin');
    return ok({ token, hostedPageUrl: url });
  }),

  'card.transactions': ({ user, input }) => {
    const all = filterTransactions(user.cardTransactions, input);
    const start = Number(input['page'] ?? 0) * TRANSACTIONS_PER_PAGE;
    // In practice a page past the end returns page 0 again. Pagers must detect repeated pages.
    const from = start < all.length ? start : 0;
    return ok(all.slice(from, from + TRANSACTIONS_PER_PAGE));
  },
};
