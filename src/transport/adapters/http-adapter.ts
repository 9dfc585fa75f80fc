import { type ExchangeFacts, isSuccess } from '../outcome/outcome.js';
import type { HttpResponse } from '../response/http-response.js';

/** A request as it goes over the wire, without credentials. */
export type WireRequest = {
  readonly method: string;
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** One request, ready to be sent. */
export type HttpRequest = Omit<WireRequest, 'headers'> &
  BodyReading & {
    /** Credentials included. Made for this exchange, so the adapter may add to them. */
    readonly headers: Record<string, string>;
    /** Whether a second delivery could do harm: the adapter then opens a new connection if it can. */
    readonly onlyOnce: boolean;
    /** Whether a browser adds the cookies of its page: for a proxy on the page's own server. */
    readonly sendsCookies?: boolean;
    /**
     * Throws where it is too late to send. An adapter that sees connections calls it when there is one,
     * just before it sends, and rejects with the thrown value.
     */
    readonly requireMaySend?: () => void;
  };

/** A running exchange. */
export type Exchange = {
  readonly facts: ExchangeFacts;
  /** The whole response. Rejects with the failure; see `outcome/network-error.ts`. */
  readonly response: Promise<HttpResponse>;
  /** Ends the exchange and closes its connection. */
  cancel(): void;
};

/** Sends one request and reads one response. Never follows a redirect, never sends twice. */
export type HttpAdapter = {
  /** Whether code from outside this package sends the request, so that errors can say so. */
  readonly isForeign: boolean;
  start(request: HttpRequest): Exchange;
};

/** Success statuses whose responses have no body. */
const WITHOUT_BODY = [204, 205];

/**
 * Refuses an empty body that only the closed connection ends. Its first byte may have been lost, so
 * nothing shows that it was read whole.
 *
 * @param endsByClose - whether nothing else marks the end of the body
 * @throws Error, as for any other body that breaks off
 */
export function refuseLostBody(status: number, length: number, endsByClose: () => boolean): void {
  if (length > 0 || !isSuccess(status) || WITHOUT_BODY.includes(status) || !endsByClose()) return;
  throw new Error('the connection closed before the body began');
}

/** The longest success body, in bytes after decompression. */
const SUCCESS_LIMIT = 1024 * 1024;
/** The longest error body, in bytes after decompression. */
const ERROR_LIMIT = 64 * 1024;

/** How a request asks for the body of a success response to be read. */
export type BodyReading = {
  /** Whether its bytes are kept as they are. Default: decoded as UTF-8. */
  readonly asBytes?: boolean | undefined;
  /** The longest success body, in bytes. Default {@link SUCCESS_LIMIT}. */
  readonly maxResponseBytes?: number | undefined;
};

/** How to read the body of a response with this status. An error body is always text. */
export function readingFor(
  status: number,
  { asBytes = false, maxResponseBytes = SUCCESS_LIMIT }: BodyReading,
) {
  return isSuccess(status)
    ? { limit: maxResponseBytes, asBytes }
    : { limit: ERROR_LIMIT, asBytes: false };
}
