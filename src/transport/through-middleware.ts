import { type Attempted, attempt } from './attempt.js';
import type { Call } from './call.js';
import { Interruption } from './deadline.js';
import { heldBackEnding } from './ending.js';
import { type MiddlewareAnswer, runMiddleware } from './middleware.js';
import { requestIdOf } from './request-id.js';

function shownAnswer(
  attempted: Attempted,
  call: Call,
  attempts: number,
  durationMs: number,
): MiddlewareAnswer {
  const { answer, ending } = attempted;
  const { status = 0, headers } = answer ?? ending;
  if (ending !== undefined && headers === undefined) {
    throw ending.toError({ operation: call.endpoint.id, outcome: ending.outcome, attempts });
  }
  const shown = new Headers(headers);
  return { status, headers: shown, requestId: requestIdOf(shown), durationMs };
}

/** What it means that the request has not left. */
function heldBack(failure: unknown): Attempted {
  if (!(failure instanceof Interruption) || failure.kind === 'aborted') throw failure;
  return { ending: heldBackEnding(Number(failure.reason)) };
}

/**
 * Makes one attempt inside the middleware of the call. Once the request has left, what middleware
 * does no longer changes how the attempt ends.
 *
 * @throws Interruption when the caller aborted, Veto when a middleware kept the request from leaving
 */
export async function attemptThroughMiddleware(
  call: Call,
  credentials: Readonly<Record<string, string>>,
  attempts: number,
): Promise<Attempted> {
  const { endpoint, request, middleware, deadline } = call;
  if (middleware.length === 0) return attempt(call, credentials, request.headers);
  const { clock } = call.settings.environment;
  const left: { sent?: Promise<Attempted> } = {};
  const deliver = async (headers: Readonly<Record<string, string>>) => {
    const startedAt = clock.elapsed();
    left.sent = attempt(call, credentials, headers);
    return shownAnswer(await left.sent, call, attempts, clock.elapsed() - startedAt);
  };
  const shown = {
    operation: endpoint.id,
    method: endpoint.method,
    route: endpoint.path,
    attempt: attempts,
    headers: request.headers,
  };
  const failure = await deadline
    .run(deadline.remaining, () => runMiddleware(middleware, shown, deliver))
    .catch((error: unknown) => error);
  return left.sent ?? heldBack(failure);
}
