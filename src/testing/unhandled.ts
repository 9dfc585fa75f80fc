import type { MockResponse } from './behaviour.js';
import { requireOneOf } from './check-options.js';
import { type KnownRoute, nearestRoute } from './routing.js';

/**
 * The response to a request for which there is no endpoint and no route. `error`: `mock.fetch`
 * throws; MSW responds 500 and the sandbox 501. 404 or 501: a response with that status. In every
 * case, the message suggests the nearest endpoint.
 */
export type OnUnhandled = 'error' | 404 | 501;

const ALLOWED = ['error', '404', '501'] as const;

/**
 * Checks the option `onUnhandled`.
 *
 * @throws TypeError for a value that it cannot have
 */
export function requireOnUnhandled(given: OnUnhandled | undefined): void {
  if (given === undefined || given === 404 || given === 501 || given === 'error') return;
  requireOneOf('onUnhandled', given, ALLOWED);
  throw new TypeError('onUnhandled must be "error", or 404 or 501 as a number');
}

/** A request that no endpoint and no route responds to. */
export type UnhandledRequest = {
  method: string;
  origin: string;
  path: string;
  /** The base URL of the platform, for a request that is not below it. */
  below: string | undefined;
};

/** The error of a request that nothing responds to. Its message contains no body. */
export class UnhandledRequestError extends Error {
  override readonly name = 'UnhandledRequestError';

  constructor({ method, origin, path, below }: UnhandledRequest, served: readonly KnownRoute[]) {
    const nearest = nearestRoute(method, path, served);
    super(
      `the mock platform has no endpoint for ${method} ${origin}${path}. ` +
        `The nearest is ${nearest?.method} ${nearest?.path} (${nearest?.id})` +
        (below === undefined ? '' : `, below ${below}`),
    );
  }
}

/**
 * Returns the response to a request that nothing responds to.
 *
 * @throws UnhandledRequestError when the platform has no status for it
 */
export function unhandledResponse(
  request: UnhandledRequest,
  served: readonly KnownRoute[],
  onUnhandled: OnUnhandled = 'error',
): MockResponse {
  const error = new UnhandledRequestError(request, served);
  if (onUnhandled === 'error') throw error;
  return { status: onUnhandled, body: { message: error.message } };
}
