import { listenForPinPage, type MessageTarget } from '../browser/listen-for-pin-page.js';
import { readPinPageEvent, type WebViewEvent } from '../browser/read-pin-page-event.js';
import type { HostedPageToken } from '../contract/card-tokens.js';
import { checkRevealOptions, Reveal } from './reveal.js';
import type { CardReveal, RevealOptions } from './types.js';

/** Options of {@link createPinPage}. */
export type PinPageOptions = RevealOptions & {
  /**
   * Requests the page: `userClient.card.createSetPinToken({ isEmbedded: true }, options)` for a frame, or with
   * a `redirectUrl` for a WebView. Called once.
   */
  load: (options: { signal: AbortSignal }) => PromiseLike<Pick<HostedPageToken, 'hostedPageUrl'>>;
  /** The `redirectUrl` of the request, if it had one: the page has ended when it redirects there. */
  redirectUrl?: string | undefined;
};

/** The page on which the user sets the PIN, shown once. */
export type PinPage = CardReveal & {
  /**
   * Puts the page into a frame. When the reveal ends, the frame gets an empty page; a message of type
   * `abort` from the page also ends it. Call this when `show` has resolved: it does nothing unless the
   * status is `shown`, nor for a frame that already has the page.
   *
   * @param target - the window that receives messages. Default the page's own
   * @throws RequestValidationError when the page is not an https or loopback URL
   * @throws ConfigurationError if there is no window, as in React Native: use `handleEvent`
   */
  attachFrame(frame: PinFrame, target?: MessageTarget): void;
  /**
   * Reads an event of a WebView: a message, or the address that is about to load. Returns whether
   * this event ended the page. If it did, do not load the address.
   *
   * @throws RequestValidationError when the page is not an https or loopback URL, or `redirectUrl` is
   *   neither such a URL nor an app link, or has a host that is not ASCII: write it as `xn--…`
   */
  handleEvent(event: WebViewEvent): boolean;
};

/** The frame that shows the page. An `HTMLIFrameElement` fits. */
export type PinFrame = { readonly contentWindow: unknown; src: string };

/** The lifetime of the page is not documented. A PIN image is valid for about this long. */
const VISIBLE_FOR_MS = 10 * 60_000;

/**
 * Creates a reveal of the hosted page on which the user sets the PIN. It detects when the page ends:
 * in a frame by the page's message, in a WebView by that message or by your return URL. Its
 * snapshot has the URL of the page.
 *
 * @throws ConfigurationError that says which option is wrong
 * @example
 * ```ts
 * import { createPinPage } from 'card-platform-sdk/card-reveal';
 *
 * export async function setPin(frame: HTMLIFrameElement): Promise<void> {
 *   const page = createPinPage({
 *     load: (options) => userClient.card.createSetPinToken({ isEmbedded: true }, options),
 *   });
 *   page.subscribe(() => {
 *     if (page.getSnapshot().status === 'gone') frame.remove();
 *   });
 *   await page.show();
 *   page.attachFrame(frame);
 * }
 * ```
 */
export function createPinPage(options: PinPageOptions): PinPage {
  const checked = checkRevealOptions(options, ['redirectUrl']);
  const load = async (signal: AbortSignal) => Object(await checked.load({ signal })).hostedPageUrl;
  const reveal = new Reveal({ load, visibleFor: VISIBLE_FOR_MS }, checked);
  const { show, close, getSnapshot, subscribe } = reveal;
  const attached = new WeakSet<PinFrame>();
  const finish = () => reveal.end({ reason: 'finished' });

  function attachFrame(frame: PinFrame, target?: MessageTarget): void {
    const { url } = getSnapshot();
    if (url === undefined || attached.has(frame)) return;
    reveal.onEnd(listenForPinPage({ frame, origin: url, onAbort: finish, target }));
    attached.add(frame);
    reveal.onEnd(() => {
      frame.src = 'about:blank';
    });
    frame.src = url;
  }

  function handleEvent(event: WebViewEvent): boolean {
    const { url } = getSnapshot();
    if (url === undefined) return false;
    const page = { hostedPageUrl: url, redirectUrl: checked.redirectUrl };
    if (readPinPageEvent(event, page) === undefined) return false;
    finish();
    return true;
  }

  return Object.freeze({ show, close, getSnapshot, subscribe, attachFrame, handleEvent });
}
