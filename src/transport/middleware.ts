import { ConfigurationError } from '../errors/index.js';
import { requireExtraHeaders } from './header-safety.js';

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

/** The answer to one attempt, as middleware sees it. */
export type MiddlewareAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  readonly durationMs: number;
};

/** Goes on to the next middleware, and at the end to the network; may add headers. */
export type Next = (additions?: {
  headers?: Readonly<Record<string, string | undefined>>;
}) => Promise<MiddlewareAnswer>;

/**
 * Wraps each attempt. `next` rejects with the typed error when no answer came. Throwing before
 * `next` vetoes the attempt: nothing is sent and the call rejects with what was thrown. What
 * happens after `next` does not change the call.
 *
 * @example
 * ```ts
 * import type { Middleware } from 'card-platform-sdk';
 *
 * const timing: Middleware = async (request, next) => {
 *   const answer = await next({ headers: { 'x-trace': 'abc' } });
 *   console.log(request.operation, answer.status, answer.durationMs);
 * };
 * ```
 */
export type Middleware = (request: MiddlewareRequest, next: Next) => Promise<unknown>;

/** Sends one attempt with the headers that middleware added. */
export type Deliver = (headers: Readonly<Record<string, string>>) => Promise<MiddlewareAnswer>;

/** A middleware threw before the request left, or did not let it leave. */
export class Veto {
  constructor(readonly reason: unknown) {}
}

/**
 * Runs one attempt through all middleware.
 *
 * @throws Veto when the request was kept from leaving
 */
export async function runMiddleware(
  middleware: readonly Middleware[],
  request: MiddlewareRequest,
  deliver: Deliver,
): Promise<void> {
  let delivery: Promise<MiddlewareAnswer> | undefined;
  const layer = async (
    index: number,
    headers: Record<string, string>,
  ): Promise<MiddlewareAnswer> => {
    const current = middleware[index];
    if (current === undefined) {
      delivery ??= deliver(headers);
      return delivery;
    }
    let rest: Promise<MiddlewareAnswer> | undefined;
    const next: Next = (added) => {
      rest ??= layer(index + 1, {
        ...headers,
        ...requireExtraHeaders(added?.headers ?? {}, request.operation),
      });
      return rest;
    };
    await current({ ...request, headers: Object.freeze({ ...headers }) }, next);
    if (rest === undefined) {
      throw new ConfigurationError('middleware', 'a middleware returned without calling next().');
    }
    return rest;
  };
  try {
    await layer(0, { ...request.headers });
  } catch (error) {
    if (delivery === undefined) throw new Veto(error);
  }
}
