import { ConfigurationError } from '../errors/index.js';
import { isAbort, originOfPage } from './pin-page.js';

/** The fields that are read of a message between windows. A `MessageEvent` has them. */
export type WindowMessage = {
  readonly origin: string;
  readonly source: unknown;
  readonly data: unknown;
};

/** The methods that are used on the window that receives messages. */
export type MessageTarget = {
  /** Adds the listener. */
  addEventListener(type: 'message', listener: (message: WindowMessage) => void): void;
  /** Removes the listener. */
  removeEventListener(type: 'message', listener: (message: WindowMessage) => void): void;
};

/** The options of {@link listenForPinPage}. */
export type PinPageListener = {
  /** The frame that shows the page: an `HTMLIFrameElement` has the field. */
  frame: { readonly contentWindow: unknown };
  /** The origin of the page, or its whole `hostedPageUrl`. */
  origin: string;
  /** Called once, when the user has completed or cancelled. */
  onAbort: () => void;
  /** Removes the listener when it aborts. */
  signal?: AbortSignal | undefined;
  /** The window that receives messages. Default the page's own. */
  target?: MessageTarget | undefined;
};

/**
 * Calls `onAbort` when the hosted page on which a user sets the PIN ends in your frame
 * (`card.createSetPinToken({ isEmbedded: true })`). The page sends a message of type `abort`, which
 * does not show whether the PIN was set or the user cancelled.
 *
 * Messages from other windows or origins are ignored, because any open page can send one. Returns a
 * function that removes the listener.
 *
 * @throws RequestValidationError when `origin` is not an https or loopback URL.
 * @throws ConfigurationError where there is no window, as in React Native: use {@link readPinPageEvent}.
 *
 * @example
 * ```ts
 * import { listenForPinPage } from 'card-platform-sdk';
 *
 * declare const frame: { contentWindow: unknown; src: string; remove(): void };
 *
 * function show(hostedPageUrl: string): void {
 *   listenForPinPage({ frame, origin: hostedPageUrl, onAbort: () => frame.remove() });
 *   frame.src = hostedPageUrl;
 * }
 * ```
 */
export function listenForPinPage(options: PinPageListener): () => void {
  const { frame, onAbort, signal, origin: page, ...rest }: PinPageListener = Object(options);
  const target = rest.target ?? (globalThis as unknown as MessageTarget);
  const expected = originOfPage(page, 'origin');
  if (typeof target.addEventListener !== 'function') {
    throw new ConfigurationError(
      'target',
      'target is required: this runtime has no window. In a WebView of an app, use readPinPageEvent.',
    );
  }
  const stop = () => {
    target.removeEventListener('message', receive);
    signal?.removeEventListener('abort', stop);
  };
  const receive = ({ origin, source, data }: WindowMessage) => {
    const isFromPage = origin === expected && source !== null && source === frame.contentWindow;
    if (!isFromPage || !isAbort(data)) return;
    stop();
    onAbort();
  };
  if (signal?.aborted) return stop;
  target.addEventListener('message', receive);
  signal?.addEventListener('abort', stop);
  return stop;
}
