import type { MockClock } from './clock.js';
import { pinForm, tellOpener, verificationEnd, verificationForm } from './page-texts.js';
import type { MockCard, MockPage, MockState, MockUser } from './state.js';
import { submitVerification } from './verification.js';

/** What a browser asked for. */
export type PageRequest = { method: string; path: string; query: URLSearchParams; text: string };

const HTML = 'text/html; charset=utf-8';

function page(status: number, type: string, body: string): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': type,
      'cache-control': 'no-store',
      // With `no-referrer` a browser would send the form with `Origin: null`, as foreign pages do.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  });
}

/** A picture of a few lines. It is never text that a page could read out of the document. */
function picture(lines: readonly string[]): Response {
  const texts = lines.map(
    (line, index) => `<text x="24" y="${52 + index * 36}" font-size="22">${line}</text>`,
  );
  const height = 40 + lines.length * 36;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="${height}" viewBox="0 0 360 ${height}" role="img"><rect width="360" height="${height}" rx="16" fill="#1f2937"/><g fill="#f9fafb" font-family="monospace">${texts.join('')}</g></svg>`;
  return page(200, 'image/svg+xml', svg);
}

function detailsOf({ panLast4, expiryDate }: MockCard): string[] {
  const [year = '', month = ''] = expiryDate.split('/');
  // No issuer has this range: nothing here can be mistaken for a real card.
  return [`0000 0000 0000 ${panLast4}`, `${month}/${year.slice(2)}   CVV 000`];
}

/** The state of a page that may still be looked at. */
function findOpen(state: MockState, clock: MockClock, token: string | null): MockPage | undefined {
  const found = state.pages.find((one) => one.token === token);
  return found && !found.isSeen && found.expiresAt > clock.now() ? found : undefined;
}

function setPin(open: MockPage, card: MockCard, text: string): Response {
  const form = new URLSearchParams(text);
  const pin = form.get('pin') ?? '';
  const isDone = form.get('action') === 'set';
  if (isDone && !/^\d{4}$/.test(pin)) return page(422, HTML, pinForm('A PIN has 4 digits.'));
  if (isDone) card.pin = pin;
  open.isSeen = true;
  if (!open.isEmbedded && open.redirectUrl !== undefined) {
    return new Response(null, { status: 303, headers: { location: open.redirectUrl } });
  }
  return page(200, HTML, tellOpener(isDone, open.isEmbedded));
}

function verify(open: MockPage, user: MockUser, clock: MockClock, text: string): Response {
  const isGood = new URLSearchParams(text).get('action') === 'submit';
  open.isSeen = true;
  submitVerification(user, clock, isGood ? 'VERIFIED' : 'REJECTED');
  return page(200, HTML, verificationEnd());
}

const SHOWN_AT: Readonly<Record<string, readonly MockPage['shows'][]>> = {
  '/details-image': ['details', 'pin'],
  '/set-pin': ['set-pin'],
  '/verification': ['verification'],
};

/**
 * The pages behind `imageUrl`, `hostedPageUrl` and `sessionUrl`: each is there once, until its time
 * is over, and then it is gone. `undefined` for any other address.
 */
export function answerPage(
  state: MockState,
  clock: MockClock,
  { method, path, query, text }: PageRequest,
): Response | undefined {
  const shown = SHOWN_AT[path];
  if (shown === undefined) return undefined;
  const open = findOpen(state, clock, query.get('token'));
  const user = state.users.find(({ id }) => id === open?.userId);
  if (open === undefined || user === undefined || !shown.includes(open.shows)) return gone();
  const isSent = method === 'POST';
  if (open.shows === 'verification') {
    return isSent ? verify(open, user, clock, text) : page(200, HTML, verificationForm());
  }
  const { card } = user;
  if (card === null) return gone();
  if (open.shows === 'set-pin') {
    return isSent ? setPin(open, card, text) : page(200, HTML, pinForm());
  }
  open.isSeen = true;
  return picture(open.shows === 'pin' ? [`PIN ${card.pin}`] : detailsOf(card));
}

const gone = () => page(410, 'text/plain', 'This page was used already, or it is too old.');
