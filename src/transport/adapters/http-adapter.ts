import type { ExchangeFacts } from '../outcome/facts.js';
import type { HttpResponse } from '../response/http-response.js';
import type { BodyReading } from './body-limits.js';

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
  };

/** A running exchange. */
export type Exchange = {
  readonly facts: ExchangeFacts;
  /** The whole response. Rejects with the failure; see `outcome/failures.ts`. */
  readonly response: Promise<HttpResponse>;
  /** Ends the exchange and closes its connection. */
  cancel(): void;
};

/** Sends one request and reads one response. Never follows a redirect, never sends twice. */
export type HttpAdapter = {
  /** Whether code from outside this package sends, so that errors can name it. */
  readonly isForeign: boolean;
  start(request: HttpRequest): Exchange;
};
