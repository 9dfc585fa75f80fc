import { isSecureUrl } from '../contract/formats/url.js';
import { RequestValidationError } from '../errors/index.js';

/** What is read of a message between windows. A `MessageEvent` has it. */
export type WindowMessage = {
  readonly origin: string;
  readonly source: unknown;
  readonly data: unknown;
};

/** What is used of the window that hears messages. */
export type MessageTarget = {
  /** Begins to hear. */
  addEventListener(type: 'message', listener: (message: WindowMessage) => void): void;
  /** Ceases to hear. */
  removeEventListener(type: 'message', listener: (message: WindowMessage) => void): void;
};

/** What {@link listenForPinPage} takes. */
export type PinPageListener = {
  /** The frame that shows the page: an `HTMLIFrameElement` has the field. */
  frame: { readonly contentWindow: unknown };
  /** Where the page is from: its origin, or its whole `hostedPageUrl`. */
  origin: string;
  /** Called once, when the page says that it is over: the user has completed or cancelled. */
  onAbort: () => void;
  /** Ends the listening. */
  signal?: AbortSignal | undefined;
  /** The window that hears messages. Default the page's own. */
  target?: MessageTarget | undefined;
};

/**
 * Hears of the end of the hosted page on which a user sets the PIN, shown in a frame
 * (`card.createSetPinToken({ isEmbedded: true })`). The page sends a message of type `abort`; whether
 * the PIN was set or the user cancelled, it does not say.
 *
 * Messages from other windows or other origins are ignored: any page that the user has open can send
 * one. Gives a function that ends the listening.
 *
 * @throws RequestValidationError when `origin` is no https or loopback URL.
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
  const { frame, onAbort, signal } = options;
  const target = options.target ?? (globalThis as unknown as MessageTarget);
  const expected = originOf(options.origin);
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

function originOf(url: string): string {
  if (isSecureUrl(url)) return new URL(url).origin;
  throw new RequestValidationError([{ path: 'origin', message: 'has to be an https URL' }]);
}

/** The contract names the type of the message and not its form: both usual ones are taken. */
function isAbort(data: unknown): boolean {
  return data === 'abort' || (Object(data) as { type?: unknown }).type === 'abort';
}
