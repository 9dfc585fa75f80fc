import type { MockClock } from './clock.js';
import { type Query, readQuery } from './query.js';
import type { Simulation } from './simulation.js';
import type { MockCard, MockPage, MockState, MockUser } from './state.js';
import { submitVerification } from './verification.js';

/** The contract documents the defaults of the details. Those of the PIN are the mock's own. */
const DEFAULT_COLOURS = {
  cardBackgroundColor: '#000000',
  cardTextColor: '#FFFFFF',
  panBackgroundColor: '#EFEFEF',
  panTextColor: '#000000',
  backgroundColor: '#1f2937',
  textColor: '#f9fafb',
};

const line = (y: number, text: string, colour: string | number) =>
  `<text x="24" y="${y}" font-size="22" fill="${colour}">${text}</text>`;

function svg(height: number, background: string | number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="${height}" viewBox="0 0 360 ${height}" role="img"><rect width="360" height="${height}" rx="16" fill="${background}"/><g font-family="monospace">${content}</g></svg>`;
}

/**
 * Renders the PIN or the details of a card as an image, in the requested colours. A page that embeds
 * it cannot read its text.
 */
function imageOf({ kind, customCss }: MockPage, card: MockCard): string {
  const css = { ...DEFAULT_COLOURS, ...customCss };
  if (kind === 'pin') {
    return svg(76, css.backgroundColor, line(52, `PIN ${card.pin}`, css.textColor));
  }
  const [year = '', month = ''] = card.expiryDate.split('/');
  const content = [
    `<rect x="12" y="22" width="336" height="42" rx="8" fill="${css.panBackgroundColor}"/>`,
    // No issuer uses this range, so the number cannot be mistaken for a real card.
    line(52, `0000 0000 0000 ${card.panLast4}`, css.panTextColor),
    line(96, `${month}/${year.slice(2)}   CVV 000`, css.cardTextColor),
  ];
  return svg(120, css.cardBackgroundColor, content.join(''));
}

/** A request for a page. */
type PageRequest = { method: string; path: string; query: Query; text: string };

function page(status: number, body: string, type = PAGE_HEADERS['content-type']): Response {
  return new Response(body, { status, headers: { ...PAGE_HEADERS, 'content-type': type } });
}

/** Finds a page that is neither used nor expired. */
function findOpenPage(
  state: MockState,
  clock: MockClock,
  token: string | null,
): MockPage | undefined {
  const found = state.pages.find((one) => one.token === token);
  return found && !found.isUsed && found.expiresAt > clock.now() ? found : undefined;
}

function setPin(open: MockPage, card: MockCard, text: string): Response {
  const form = readQuery(text);
  const pin = form.get('pin') ?? '';
  const isDone = form.get('action') === 'set';
  if (isDone && !/^\d{4}$/.test(pin))
    return page(422, pinForm(open.customCss, 'A PIN has 4 digits.'));
  if (isDone) card.pin = pin;
  open.isUsed = true;
  if (!open.isEmbedded && open.redirectUrl !== undefined) {
    // A header has no other characters than those of a parsed URL.
    const location = new URL(open.redirectUrl).href;
    return new Response(null, { status: 303, headers: { location } });
  }
  return page(200, pinResultPage(isDone, open.isEmbedded));
}

function verify(open: MockPage, user: MockUser, simulation: Simulation, text: string): Response {
  const isGood = readQuery(text).get('action') === 'submit';
  open.isUsed = open.isReusable !== true;
  submitVerification(simulation, user, isGood ? 'VERIFIED' : 'REJECTED');
  return page(200, verificationResultPage());
}

const KINDS_BY_PATH: Readonly<Record<string, readonly MockPage['kind'][]>> = {
  '/details-image': ['details', 'pin'],
  '/set-pin': ['set-pin'],
  '/verification': ['verification'],
};

/** Returns whether a path is that of a page. */
export const isPagePath = (path: string): boolean => Object.hasOwn(KINDS_BY_PATH, path);

/**
 * Serves the pages behind `imageUrl`, `hostedPageUrl` and `sessionUrl`. A page works until it is
 * used or expires. After that, the status is 410.
 */
export function servePage(
  simulation: Simulation,
  { method, path, query, text }: PageRequest,
): Response {
  const { state, clock } = simulation;
  const kinds = KINDS_BY_PATH[path] ?? [];
  const open = findOpenPage(state, clock, query.get('token'));
  const user = state.users.find(({ id }) => id === open?.userId);
  if (open === undefined || user === undefined || !kinds.includes(open.kind)) return gone();
  const isSent = method === 'POST';
  if (open.kind === 'verification') {
    return isSent ? verify(open, user, simulation, text) : page(200, verificationForm());
  }
  const { card } = user;
  if (card === null) return gone();
  if (open.kind === 'set-pin') {
    return isSent ? setPin(open, card, text) : page(200, pinForm(open.customCss));
  }
  open.isUsed = true;
  return page(200, imageOf(open, card), 'image/svg+xml');
}

const gone = () => page(410, 'This page was already used, or it has expired.', 'text/plain');

const STYLE =
  'body{font:16px system-ui;margin:24px;color:#111827}label{display:block;margin-bottom:8px}' +
  'input{font:24px monospace;width:6ch;padding:8px}button{font:inherit;padding:8px 16px;margin:16px 8px 0 0}';

/** The headers of every page. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // With `no-referrer` a browser would send the form with `Origin: null`, as foreign pages do.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

function document(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}

type Css = Readonly<Record<string, string | number>>;

/** The places of the PIN page that each field of `customCss` styles. */
const STYLED: readonly (readonly [field: string, selector: string, property: string])[] = [
  ['backgroundColor', 'body', 'background'],
  ['textColor', 'body', 'color'],
  ['backgroundColorPrimary', 'button[value=set]', 'background'],
  ['textColorPrimary', 'button[value=set]', 'color'],
  ['pinBorderColor', 'input', 'border-color'],
  ['buttonBorderRadius', 'button', 'border-radius'],
  ['pinBorderRadius', 'input', 'border-radius'],
];

/** The contract allows any text, so what could leave its place in the style is left out. */
const PLAIN_VALUE = /^[\w#(),.% -]*$/;

function styleOf(css: Css): string {
  const rules = STYLED.flatMap(([field, selector, property]) => {
    const value = css[field];
    if (value === undefined || !PLAIN_VALUE.test(String(value))) return [];
    return [`${selector}{${property}:${typeof value === 'number' ? `${value}px` : value}}`];
  });
  return rules.length === 0 ? '' : `<style>${rules.join('')}</style>`;
}

/** Returns the hosted page on which a user sets the PIN. */
function pinForm(css: Css, problem = ''): string {
  return document(
    'Set your PIN',
    `${styleOf(css)}<form method="post"><label for="pin">New PIN, 4 digits</label><input id="pin" name="pin" inputmode="numeric" maxlength="4" autocomplete="off" type="password" aria-describedby="problem"><p id="problem" role="alert">${problem}</p><button name="action" value="set">Set PIN</button><button name="action" value="cancel" formnovalidate>Cancel</button></form>`,
  );
}

/** Returns the last page of the PIN form. When embedded, it posts the contract's message to its parent. */
function pinResultPage(isDone: boolean, isEmbedded: boolean): string {
  const text = isDone ? 'Your PIN is set.' : 'Your PIN was not changed.';
  const script = isEmbedded ? "<script>parent.postMessage({type:'abort'},'*')</script>" : '';
  return document('Set your PIN', `<p role="status">${text}</p>${script}`);
}

/** Returns a page that stands in for the identity provider. */
function verificationForm(): string {
  return document(
    'Verify your identity',
    '<form method="post"><p>This stands in for the identity provider.</p><button name="action" value="submit">Submit valid documents</button><button name="action" value="reject">Submit documents that will be rejected</button></form>',
  );
}

/** Returns the page shown after the documents were submitted. */
function verificationResultPage(): string {
  return document(
    'Verify your identity',
    '<p role="status">Your documents are being reviewed.</p>',
  );
}
