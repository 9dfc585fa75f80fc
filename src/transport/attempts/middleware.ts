import { ConfigurationError } from '../../errors/index.js';
import { requireExtraHeaders } from '../adapters/header-safety.js';

/** One attempt of a call, as middleware sees it: without credentials, values and body. */
export type MiddlewareRequest = {
  /** Endpoint id, for example `card.freeze`. */
  readonly operation: string;
  readonly method: string;
  /** Path template, without values. */
  readonly route: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Headers without credentials, lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
};

/** The response to one attempt, as middleware sees it: without cookies, and with known secrets replaced. */
export type MiddlewareResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  readonly durationMs: number;
};

/** Calls the next middleware and, at the end, the network. May add headers. */
export type Next = (additions?: {
  headers?: Readonly<Record<string, string | undefined>>;
}) => Promise<MiddlewareResponse>;

/**
 * Wraps each attempt. `next` rejects with the typed error when no response came. If a middleware
 * throws before it calls `next`, the attempt is not sent and the call rejects with the thrown value.
 * Code after `next` neither changes the call nor delays it.
 *
 * @example
 * ```ts
 * import type { Middleware } from 'card-platform-sdk';
 *
 * const timing: Middleware = async (request, next) => {
 *   const response = await next({ headers: { 'x-trace': 'abc' } });
 *   console.log(request.operation, response.status, response.durationMs);
 * };
 * ```
 */
export type Middleware = (request: MiddlewareRequest, next: Next) => Promise<unknown>;

/** Sends one attempt with the headers that middleware added. */
type Deliver = (headers: Readonly<Record<string, string>>) => Promise<MiddlewareResponse>;

const ignore = () => {};

/**
 * Runs one attempt through all middleware.
 *
 * @throws what a middleware threw before the request left, or ConfigurationError when one returned
 *   without letting it leave
 */
export async function runMiddleware(
  middleware: readonly Middleware[],
  request: MiddlewareRequest,
  deliver: Deliver,
): Promise<void> {
  const layer = async (
    index: number,
    headers: Record<string, string>,
  ): Promise<MiddlewareResponse> => {
    const current = middleware[index];
    if (current === undefined) return deliver(headers);
    let rest: Promise<MiddlewareResponse> | undefined;
    const next: Next = (additions) => {
      if (rest === undefined) {
        const added = requireExtraHeaders(additions?.headers ?? {}, request.operation);
        rest = layer(index + 1, { ...headers, ...added });
        // A middleware may forget to await it; the call itself reports the failure.
        rest.catch(ignore);
      }
      return rest;
    };
    await current({ ...request, headers: Object.freeze({ ...headers }) }, next);
    if (rest === undefined) {
      throw new ConfigurationError(
        'middleware',
        'a middleware returned without calling next(), so the attempt was not sent.',
      );
    }
    return rest;
  };
  await layer(0, { ...request.headers });
}
