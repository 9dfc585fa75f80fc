import { requireKnownOptions, requireOneOf } from '../check-options.js';
import type { MockPlatform } from '../platform.js';

/**
 * How the user leaves the page: with a new PIN, without one, or too late. The contract documents one
 * message, `abort`, for the first two, and none for the third.
 */
export type PinPageEnd = 'set' | 'cancel' | 'expire';

/** Options of `endPinPage`. */
export type PinPageEndOptions = {
  /** The PIN that the user enters, four digits. Default `4711`. */
  pin?: string | undefined;
  /** The frame that shows the page. With it, the page's message is dispatched on `target`. */
  frame?: { readonly contentWindow: unknown } | undefined;
  /** The window that receives the message. Default: the global object. */
  target?: Pick<EventTarget, 'dispatchEvent'> | undefined;
};

/** The events that an app gets when the page ends. */
export type EndedPinPage = {
  /**
   * The message that an embedded page posts to its parent; `undefined` for a page that posts
   * nothing.
   */
  readonly message: { readonly origin: string; readonly data: unknown } | undefined;
  /**
   * The event of a WebView, for `readPinPageEvent`; `undefined` for a page that stays where it is.
   */
  readonly webViewEvent: { readonly url: string; readonly data?: string } | undefined;
};

/**
 * Ends the hosted page on which a user sets the PIN, as the user does: sends its form, and posts the
 * message that the page posts. Use it to test code with `listenForPinPage` or `readPinPageEvent`.
 *
 * @throws TypeError for an unknown option or end, Error when the user has no open page, or the page
 *   refuses the PIN
 *
 * @example
 * ```ts
 * import { createMockPlatform } from 'card-platform-sdk/testing';
 * import { endPinPage } from 'card-platform-sdk/testing/wallets';
 *
 * declare const frame: { contentWindow: unknown };
 *
 * async function setPin(mock: ReturnType<typeof createMockPlatform>, user: { id: string }) {
 *   await endPinPage(mock, user, 'set', { pin: '1234', frame });
 * }
 * ```
 */
export async function endPinPage(
  platform: MockPlatform,
  { id }: { id: string },
  how: PinPageEnd,
  options: PinPageEndOptions = {},
): Promise<EndedPinPage> {
  requireOneOf('how', how, ['set', 'cancel', 'expire']);
  requireKnownOptions('endPinPage', options, ['pin', 'frame', 'target']);
  const { pin = '4711', frame, target = globalThis as Partial<EventTarget> } = options;
  const page = platform.state.pages.findLast(
    ({ kind, userId, isUsed, expiresAt }) =>
      kind === 'set-pin' && userId === id && !isUsed && expiresAt > platform.now,
  );
  if (page === undefined) throw new Error('the user has no open page to set the PIN');
  if (how === 'expire') {
    page.expiresAt = platform.now;
    return { message: undefined, webViewEvent: undefined };
  }
  const url = `${platform.baseUrl}/set-pin?token=${page.token}`;
  const form = new URLSearchParams(how === 'set' ? { action: 'set', pin } : { action: 'cancel' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = form.toString();
  const response = await platform.fetch(url, { method: 'POST', headers, body });
  const html = await response.text();
  if (response.status === 422) throw new Error('the page refused the PIN: a PIN has 4 digits');
  const redirectUrl = response.headers.get('location');
  if (redirectUrl !== null) return { message: undefined, webViewEvent: { url: redirectUrl } };
  if (!html.includes('postMessage(')) return { message: undefined, webViewEvent: undefined };
  const data = { type: 'abort' };
  const message = { origin: new URL(url).origin, data };
  if (frame !== undefined) {
    const event = Object.assign(new Event('message'), { ...message, source: frame.contentWindow });
    target.dispatchEvent?.(event);
  }
  return { message, webViewEvent: { url, data: JSON.stringify(data) } };
}
