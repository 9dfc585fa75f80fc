import type { Outcome } from '../../errors/index.js';
import { callHook } from '../response/call-hook.js';
import { requestIdOf } from '../response/http-response.js';
import { type AttemptResult, secretsOf } from './attempt.js';
import type { AttemptPlan } from './attempt-plan.js';
import type { LogFields } from './logging.js';
import type { AttemptCounters } from './retry-decision.js';

/** Logs how one attempt ended: `outcome` is set for one that failed, `delay` where another follows. */
export function logAttempt(
  plan: AttemptPlan,
  { response, failed }: AttemptResult,
  attempt: {
    credentials: Readonly<Record<string, string>>;
    counters: AttemptCounters;
    startedAt: number;
    outcome: Outcome | undefined;
    delay: number | undefined;
  },
): void {
  const { endpoint, settings } = plan;
  const { logger, clock } = settings;
  if (logger === undefined) return;
  const { counters, startedAt, outcome, delay } = attempt;
  const headers = (response ?? failed?.response)?.headers;
  const requestId = headers === undefined ? undefined : requestIdOf(headers);
  const fields: LogFields = {
    operation: endpoint.id,
    method: endpoint.method,
    route: endpoint.path,
    attempt: counters.attempts,
    durationMs: clock.elapsed() - startedAt,
    status: response?.status ?? failed?.status,
    requestId: requestId && secretsOf(plan, attempt.credentials).redact(requestId),
    ...(outcome !== undefined && { outcome, retryInMs: delay }),
  };
  const failure = delay === undefined ? 'failed' : 'will be retried';
  const [level, resultText] =
    outcome === undefined ? (['debug', 'succeeded'] as const) : (['warn', failure] as const);
  callHook(() => logger[level](fields, `${endpoint.id} ${resultText}`));
}
