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
  const { status, headers } = answer ?? ending;
  if (status === undefined || headers === undefined) {
    const outcome = ending?.outcome ?? 'executed';
    throw ending?.toError({ operation: call.endpoint.id, outcome, attempts });
  }
  return { status, headers: new Headers(headers), requestId: requestIdOf(headers), durationMs };
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
  let sent: Promise<Attempted> | undefined;
  const deliver = async (headers: Readonly<Record<string, string>>) => {
    const startedAt = clock.elapsed();
    sent = attempt(call, credentials, headers);
    return shownAnswer(await sent, call, attempts, clock.elapsed() - startedAt);
  };
  const shown = {
    operation: endpoint.id,
    method: endpoint.method,
    route: endpoint.path,
    attempt: attempts,
    headers: request.headers,
  };
  try {
    await deadline.run(deadline.remaining, () => runMiddleware(middleware, shown, deliver));
  } catch (error) {
    if (sent !== undefined) return sent;
    if (!(error instanceof Interruption) || error.kind === 'aborted') throw error;
    return { ending: heldBackEnding(Number(error.reason)) };
  }
  return sent ?? { ending: heldBackEnding(0) };
}
