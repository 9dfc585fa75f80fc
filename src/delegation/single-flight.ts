import { DelegationInProgressError } from './flow-errors.js';
import { type DelegationProgress, notify, type ProgressListener } from './progress.js';
import { untilAborted } from './runtime.js';

type Flight = {
  readonly client: object;
  readonly request: string;
  readonly listeners: Set<ProgressListener>;
  readonly result: Promise<unknown>;
};

/** What tells one delegation from another, and who wants to hear of it. */
export type FlightRequest = {
  /** Wallet, asset and spender: of these there is one at a time. */
  key: string;
  /** Session in whose name the delegation is made. */
  client: object;
  /** Everything that was asked for. */
  request: string;
  listener: ProgressListener | undefined;
  signal: AbortSignal | undefined;
};

const flights = new Map<string, Flight>();

/**
 * Starts a delegation, or joins the same one if it is under way (a button that was clicked twice),
 * so that a wallet is never asked twice at once. The first caller's signal ends it for everybody;
 * a later caller's signal ends only that caller's wait.
 *
 * @throws DelegationInProgressError when the one under way asks for something else.
 */
export function singleFlight<T>(
  ticket: FlightRequest,
  start: (listener: ProgressListener) => Promise<T>,
): Promise<T> {
  const running = flights.get(ticket.key);
  if (running === undefined) return startFlight(ticket, start);
  if (running.client !== ticket.client || running.request !== ticket.request) {
    return Promise.reject(new DelegationInProgressError());
  }
  if (ticket.listener) running.listeners.add(ticket.listener);
  return untilAborted(ticket.signal, running.result as Promise<T>);
}

function startFlight<T>(
  ticket: FlightRequest,
  start: (listener: ProgressListener) => Promise<T>,
): Promise<T> {
  const listeners = new Set<ProgressListener>();
  if (ticket.listener) listeners.add(ticket.listener);
  const notifyAll = (progress: DelegationProgress) => {
    for (const listener of listeners) notify(listener, progress);
  };
  const result = start(notifyAll).finally(() => flights.delete(ticket.key));
  flights.set(ticket.key, { client: ticket.client, request: ticket.request, listeners, result });
  return result;
}
