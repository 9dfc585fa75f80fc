import { untilAborted } from '../contract/formats/abort-reason.js';
import { DelegationInProgressError } from './flow-errors.js';
import { type DelegationProgress, notify, type ProgressListener } from './progress.js';
import type { DelegationLocks } from './runtime.js';

/** Returns the browser's locks; `undefined` where there are none, such as in Node.js 20. */
export function browserLocks(): DelegationLocks | undefined {
  const { navigator } = globalThis as { navigator?: { locks?: DelegationLocks } };
  return navigator?.locks;
}

/**
 * Runs work while no other tab does the same. The browser releases the lock of a tab that is closed.
 *
 * @param work called with whether it has the lock: without locks it runs all the same
 * @throws DelegationInProgressError when another tab has the lock
 */
async function withLock<T>(
  locks: DelegationLocks | undefined,
  name: string,
  work: (isLocked: boolean) => Promise<T>,
): Promise<T> {
  if (locks === undefined) return work(false);
  let running: Promise<T> | undefined;
  let isTaken = false;
  const hold = async (lock: object | null) => {
    isTaken = lock === null;
    if (isTaken) return;
    running = work(true);
    await running.catch(() => undefined);
  };
  // A page without storage, such as a sandboxed frame, has locks that always fail.
  await locks.request(name, { ifAvailable: true }, hold).catch(() => undefined);
  if (isTaken) throw new DelegationInProgressError();
  return running ?? work(false);
}

type Flight = {
  readonly client: object;
  readonly request: string;
  readonly listeners: Set<ProgressListener>;
  readonly result: Promise<unknown>;
};

/** A request to start or join a delegation. */
type FlightRequest = {
  /** Wallet, asset and spender: only one flow at a time runs for each. */
  key: string;
  /** The client of the user who delegates. */
  client: object;
  /** The full request, to compare two delegations. */
  request: string;
  listener: ProgressListener | undefined;
  signal: AbortSignal | undefined;
  /** Locks that other tabs see; `undefined` where there are none. */
  locks: DelegationLocks | undefined;
};

/** Starts the work. `isLocked` says whether other tabs see that it runs. */
type StartFlight<T> = (listener: ProgressListener, isLocked: boolean) => Promise<T>;

// One map for the whole page: a bundler can load this package as ESM and as CommonJS.
const FLIGHTS = Symbol.for('card-platform-sdk.delegations');
const shared = globalThis as { [FLIGHTS]?: Map<string, Flight> };
shared[FLIGHTS] ??= new Map();
const flights = shared[FLIGHTS];

/**
 * Starts a delegation, or joins the same one if it is running (a button that was clicked twice), so
 * that a wallet is never asked twice at once, by this page or by another tab. The first caller's
 * signal aborts the flow; a later caller's signal ends only that caller's wait.
 *
 * @throws DelegationInProgressError when the running one has a different request, or is in another
 * tab.
 */
export function singleFlight<T>(flight: FlightRequest, start: StartFlight<T>): Promise<T> {
  const running = flights.get(flight.key);
  if (running === undefined) return startFlight(flight, start);
  if (running.client !== flight.client || running.request !== flight.request) {
    return Promise.reject(new DelegationInProgressError());
  }
  if (flight.listener) running.listeners.add(flight.listener);
  return untilAborted(flight.signal, running.result as Promise<T>);
}

function startFlight<T>(flight: FlightRequest, start: StartFlight<T>): Promise<T> {
  const listeners = new Set<ProgressListener>();
  if (flight.listener) listeners.add(flight.listener);
  const notifyAll = (progress: DelegationProgress) => {
    for (const listener of listeners) notify(listener, progress);
  };
  const result = withLock(flight.locks, `card-platform-sdk ${flight.key}`, (isLocked) =>
    start(notifyAll, isLocked),
  )
    // Runs after `flights.set` below, even if the work ends at once.
    .finally(() => flights.delete(flight.key));
  flights.set(flight.key, { client: flight.client, request: flight.request, listeners, result });
  return result;
}
