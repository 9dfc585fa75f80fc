import type { ExchangeFacts } from '../outcome/facts.js';
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
export type HttpRequest = Omit<WireRequest, 'headers'> & {
  /** Credentials included. Made for this exchange, so the adapter may add to them. */
  readonly headers: Record<string, string>;
  /** A second delivery would do harm: an adapter that can gives it a connection of its own. */
  readonly onlyOnce: boolean;
};

/** One exchange under way. */
export type Exchange = {
  readonly facts: ExchangeFacts;
  /** The whole response. Rejects with whatever went wrong; see `outcome/failures.ts`. */
  readonly response: Promise<HttpResponse>;
  /** Ends the exchange and closes its connection. */
  cancel(): void;
};

/** Sends one request and reads one response. Never follows a redirect, never sends twice. */
export type HttpAdapter = {
  /** Whether somebody outside this package wrote what sends: its mistakes are reported as such. */
  readonly isForeign: boolean;
  start(request: HttpRequest): Exchange;
};
