import { NotText, TooLong } from './body.js';
import type { Call } from './call.js';
import { Interruption } from './deadline.js';
import {
  bodyEnding,
  connectionEnding,
  type Ending,
  redirectEnding,
  refusalEnding,
  timeoutEnding,
} from './ending.js';
import { type Exchange, exchange, type Progress } from './exchange.js';
import { SecretValues } from './redact.js';
import { readRefusal } from './refusal.js';

/** How an attempt ended: with a success answer, or without. */
export type Attempted =
  | { answer: Exchange; ending?: undefined }
  | { answer?: undefined; ending: Ending };

function isRedirect(status: number): boolean {
  // A browser hides a redirect that is not followed behind status 0.
  return status === 0 || (status >= 300 && status < 400);
}

function judgeAnswer(
  answer: Exchange,
  call: Call,
  credentials: Readonly<Record<string, string>>,
): Attempted {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return { answer };
  if (isRedirect(status)) return { ending: redirectEnding(status, headers, call.request.url) };
  const now = call.settings.environment.clock.now();
  const refusal = readRefusal(answer, secretsOf(call, credentials), now);
  return { ending: refusalEnding(refusal, headers) };
}

function judgeThrown(error: unknown, progress: Progress, call: Call): Attempted {
  if (error instanceof Interruption) {
    if (error.kind === 'aborted') throw error;
    return { ending: timeoutEnding(progress.phase, Number(error.reason), progress) };
  }
  if (progress.status === undefined) {
    return { ending: connectionEnding(error, call.settings.environment.provesNonDelivery) };
  }
  const brokeOff = !(error instanceof TooLong || error instanceof NotText);
  return { ending: bodyEnding(error, progress.status, brokeOff) };
}

/** The values that no error of this call may repeat. */
export function secretsOf(call: Call, credentials: Readonly<Record<string, string>>) {
  return new SecretValues([...Object.values(credentials), ...call.secretInputs]);
}

function headersOf(
  call: Call,
  credentials: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  // A pooled socket may die just as it is used again, and nobody can tell whether the request
  // arrived: what must not be sent twice gets a connection of its own. Browsers refuse the header.
  const alone = call.policy.class === 'N' && !call.settings.environment.inBrowser;
  return {
    ...headers,
    ...credentials,
    ...(alone && { connection: 'close' }),
  };
}

/**
 * Makes one attempt: sends the request, reads the whole answer, and judges it.
 *
 * @throws Interruption when the caller aborted
 */
export async function attempt(
  call: Call,
  credentials: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Promise<Attempted> {
  const { settings } = call;
  const progress: Progress = { phase: 'headers', status: undefined };
  const request = { ...call.request, headers: headersOf(call, credentials, headers) };
  try {
    const answer = await call.deadline.run(call.timeout, (signal) =>
      exchange(request, settings.fetch, settings.environment.inBrowser, signal, progress),
    );
    return judgeAnswer(answer, call, credentials);
  } catch (error) {
    return judgeThrown(error, progress, call);
  }
}
