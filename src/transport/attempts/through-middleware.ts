import { ConfigurationError } from '../../errors/index.js';
import { timedOutInMiddleware } from '../outcome/failed-attempt.js';
import { isInstance } from '../outcome/network-error.js';
import { type HttpResponse, requestIdOf } from '../response/http-response.js';
import { Aborted } from './aborted.js';
import { type AttemptResult, attempt } from './attempt.js';
import type { AttemptPlan } from './attempt-plan.js';
import { Interruption } from './deadline.js';
import { type MiddlewareResponse, runMiddleware } from './middleware.js';

type Headers = Readonly<Record<string, string>>;

/** Turns of the microtask queue in which a middleware without waits of its own finishes. */
const TURNS_PER_LAYER = 8;

function shownResponse(
  { response, failed }: AttemptResult,
  { endpoint, policy }: AttemptPlan,
  attempts: number,
  durationMs: number,
): MiddlewareResponse {
  const show = ({ status, headers }: HttpResponse) => ({
    status,
    headers: headers.toHeaders(),
    requestId: requestIdOf(headers),
    durationMs,
  });
  if (failed === undefined) return show(response);
  if (failed.response !== undefined) return show(failed.response);
  const { outcome } = failed;
  const isRead = policy.class === 'safe';
  throw failed.toError({ operation: endpoint.id, outcome, attempts, isRead, isRetryable: false });
}

/** The result when middleware kept the request from leaving. */
function resultWhenNotSent(failure: unknown): AttemptResult {
  if (!isInstance(failure, Interruption)) throw new Aborted(failure, 'not_sent');
  if (failure.kind === 'aborted') throw new Aborted(failure.reason, 'not_sent');
  return { failed: timedOutInMiddleware(Number(failure.reason)) };
}

/** Lets middleware without waits of its own finish before the call returns. */
async function letFinish(result: Promise<AttemptResult>, layers: number): Promise<void> {
  await result.catch(() => {});
  for (let turn = 0; turn < TURNS_PER_LAYER * layers; turn++) await undefined;
}

/**
 * Makes one attempt inside the middleware of the call. Once the request has left,
 * middleware can neither change the result nor delay it.
 *
 * @throws Aborted when the caller aborted, or a middleware kept the request from leaving
 */
export async function attemptThroughMiddleware(
  plan: AttemptPlan,
  credentials: Headers,
  attempts: number,
): Promise<AttemptResult> {
  const { endpoint, request, middleware, deadline } = plan;
  const { clock } = plan.settings;
  if (middleware.length === 0) return attempt(plan, credentials, request.headers);
  let sent: Promise<AttemptResult> | undefined;
  let announce!: () => void;
  const requestHasLeft = new Promise<void>((resolve) => {
    announce = resolve;
  });
  let isOver = false;
  const deliver = async (headers: Headers) => {
    if (isOver)
      throw new ConfigurationError(
        'middleware',
        'next() was called too late: the attempt was over.',
      );
    const startedAt = clock.elapsed();
    sent ??= attempt(plan, credentials, headers);
    announce();
    const result = await sent.catch((error) => {
      throw isInstance(error, Aborted) ? error.reason : error;
    });
    return shownResponse(result, plan, attempts, clock.elapsed() - startedAt);
  };
  const shown = {
    operation: endpoint.id,
    method: endpoint.method,
    route: endpoint.path,
    attempt: attempts,
    headers: request.headers,
  };
  const failure = await deadline
    .run(deadline.remaining, () => {
      const run = runMiddleware(middleware, shown, deliver);
      const over = requestHasLeft.then(() =>
        letFinish(sent as Promise<AttemptResult>, middleware.length),
      );
      return Promise.race([run, over]);
    })
    .catch((error: unknown) => error);
  isOver = true;
  return sent ?? resultWhenNotSent(failure);
}
