import { isHttpsUrl, isReturnUrl, parseWebUrl } from '../contract/formats/url.js';
import { RequestValidationError } from '../errors/index.js';
import { isAbort, originOfPage } from './pin-page.js';

/**
 * An event of a WebView in an app: `nativeEvent` of `onMessage`, or the request of
 * `onShouldStartLoadWithRequest`.
 */
export type WebViewEvent = {
  /** The page that sent the message, or the address that is about to load. */
  readonly url: string;
  /** The message. Absent for an address. */
  readonly data?: unknown;
};

/** The PIN page in a WebView. */
export type PinPageInWebView = {
  /** The page that the WebView shows. */
  hostedPageUrl: string;
  /** The `redirectUrl` of `card.createSetPinToken`, if one was given. */
  redirectUrl?: string | undefined;
};

/**
 * JavaScript for `injectedJavaScriptBeforeContentLoaded` of a WebView. It passes the messages that
 * the page posts to its own window to `onMessage`. Without it, the messages of a page in a WebView
 * are lost.
 */
export const PIN_PAGE_SCRIPT =
  "window.addEventListener('message',function(e){" +
  'if(e.source===window)window.ReactNativeWebView.postMessage(JSON.stringify(e.data))});true;';

/**
 * Returns how the hosted page on which a user sets the PIN has ended in a WebView: `'returned'` when
 * the page leads to your `redirectUrl` (do not load it), `'aborted'` for its message of type `abort`
 * (`isEmbedded: true`). Neither shows whether the PIN was set or the user cancelled. `undefined` for
 * everything else, such as a message of another page.
 *
 * Query and fragment of the address may differ from `redirectUrl`.
 *
 * @throws RequestValidationError when `hostedPageUrl` is not an https or loopback URL, or `redirectUrl`
 *   is neither such a URL nor an app link, or has a host that is not ASCII: write it as `xn--…`
 *
 * @example
 * ```ts
 * import { PIN_PAGE_SCRIPT, readPinPageEvent, type WebViewEvent } from 'card-platform-sdk';
 *
 * // <WebView {...webViewOfPinPage(hostedPageUrl, () => navigation.goBack())} />
 * function webViewOfPinPage(hostedPageUrl: string, close: () => void) {
 *   const page = { hostedPageUrl, redirectUrl: 'myapp://pin-set' };
 *   const hasEnded = (event: WebViewEvent) => readPinPageEvent(event, page) !== undefined;
 *   return {
 *     source: { uri: hostedPageUrl },
 *     originWhitelist: ['https://*', 'myapp://*'],
 *     injectedJavaScriptBeforeContentLoaded: PIN_PAGE_SCRIPT,
 *     onMessage: ({ nativeEvent }: { nativeEvent: WebViewEvent }) => {
 *       if (hasEnded(nativeEvent)) close();
 *     },
 *     onShouldStartLoadWithRequest: (request: WebViewEvent) => {
 *       if (!hasEnded(request)) return true;
 *       close();
 *       return false;
 *     },
 *   };
 * }
 * ```
 */
export function readPinPageEvent(
  event: WebViewEvent,
  page: PinPageInWebView,
): 'aborted' | 'returned' | undefined {
  const { hostedPageUrl, redirectUrl }: PinPageInWebView = Object(page);
  const origin = originOfPage(hostedPageUrl, 'hostedPageUrl');
  const target = redirectUrl === undefined ? undefined : addressOf(redirectUrl);
  if (redirectUrl !== undefined && target === undefined) {
    throw new RequestValidationError([
      { path: 'redirectUrl', message: 'must be an https URL or an app link' },
    ]);
  }
  // Every WebView writes such a host in another spelling, so that no address would ever match.
  if (
    redirectUrl !== undefined &&
    isHttpsUrl(redirectUrl) &&
    parseWebUrl(redirectUrl) === undefined
  ) {
    throw new RequestValidationError([
      { path: 'redirectUrl', message: 'must have a host in ASCII: it must be written as xn--…' },
    ]);
  }
  const { url, data }: Partial<WebViewEvent> = Object(event);
  if (data !== undefined) {
    return parseWebUrl(url)?.origin === origin && isAbort(parsed(data)) ? 'aborted' : undefined;
  }
  return target !== undefined && addressOf(url) === target ? 'returned' : undefined;
}

/** A return URL without query and fragment, in one spelling. */
function addressOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !isReturnUrl(url)) return undefined;
  const web = parseWebUrl(url);
  if (web !== undefined) return web.origin + web.path;
  // Systems write the scheme and the host of a link in lower case, and may add a slash.
  const [, scheme = '', host = '', path = ''] = /^([^:]*:)(\/\/[^/?#]*)?([^?#]*)/.exec(url) ?? [];
  return (scheme + host).toLowerCase() + (path === '/' ? '' : path);
}

/** A WebView passes text only. */
function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return data;
  }
}
