import type { Replay } from '../contract/endpoint.js';
import { type CardPlatformError, type Outcome, TimeoutError } from '../errors/index.js';
import type { Attempted } from './attempt.js';
import { backoffDelay } from './backoff.js';
import type { Call } from './call.js';
import { Interruption } from './deadline.js';
import type { Ending } from './ending.js';
import type { Exchange } from './exchange.js';
import { type LogFields, log } from './logging.js';
import { mayRepeat, type Tally } from './repeat-decision.js';
import { requestIdOf } from './request-id.js';
import { attemptThroughMiddleware } from './through-middleware.js';
import type { TokenSource } from './token-source.js';

/** What a call got in the end. */
export type Received = {
  exchange: Exchange;
  attempts: number;
  credentials: Readonly<Record<string, string>>;
  /** Set where the refusal of a repeat says that the first request had done it. */
  replayed?: { result: unknown } | undefined;
};

const CERTAINTY: Readonly<Record<Outcome, number>> = {
  not_sent: 0,
  rejected: 0,
  unknown: 1,
  executed: 2,
};

/** The attempts of one call, one after the other. */
class Attempts {
  readonly #call: Call;
  readonly #startedAt: number;
  readonly #tally: Tally = { attempts: 0, delivered: 0, connectFailures: 0, elapsed: 0 };
  /** The most that an earlier attempt may have done; a later refusal does not undo it. */
  #earlier: Outcome = 'not_sent';
  #renewed = false;
  #token: string | undefined;

  constructor(call: Call) {
    this.#call = call;
    this.#startedAt = call.settings.environment.clock.elapsed();
  }

  async run(): Promise<Received> {
    for (;;) {
      const credentials = await this.#credentials();
      const startedAt = this.#now;
      this.#tally.attempts++;
      const attempted = await attemptThroughMiddleware(
        this.#call,
        credentials,
        this.#tally.attempts,
      );
      const { answer, ending } = attempted;
      if (ending === undefined) {
        this.#log(attempted, startedAt, undefined);
        if (this.#tally.attempts === 1) this.#call.settings.budget.refund();
        return { exchange: answer, attempts: this.#tally.attempts, credentials };
      }
      const replayed = this.#replay(ending);
      if (replayed?.means === 'done') {
        const { exchange, attempts } = this.#replayedAnswer(ending);
        this.#log({ answer: exchange }, startedAt, undefined);
        return { exchange, attempts, credentials, replayed };
      }
      if (await this.#renew(ending, credentials)) continue;
      this.#count(ending);
      const delay = this.#delay(ending);
      this.#log(attempted, startedAt, delay);
      if (delay === undefined) throw this.#error(ending, replayed);
      if (CERTAINTY[ending.outcome] > CERTAINTY[this.#earlier]) this.#earlier = ending.outcome;
      await this.#backOff(delay, ending);
    }
  }

  get #now(): number {
    return this.#call.settings.environment.clock.elapsed();
  }

  /** The credential headers of the next attempt. */
  async #credentials(): Promise<Record<string, string>> {
    const { settings, endpoint, tokens } = this.#call;
    settings.credentials.check(endpoint, tokens);
    const takesToken = endpoint.credentials.includes('accessToken');
    const known = this.#token ?? tokens?.fixed;
    const token = takesToken && known === undefined ? await this.#askForToken(tokens) : known;
    return settings.credentials.headersFor(endpoint, token);
  }

  async #askForToken(tokens: TokenSource | undefined): Promise<string | undefined> {
    const { deadline, endpoint } = this.#call;
    try {
      return await deadline.run(deadline.remaining, async () => tokens?.get(endpoint.id));
    } catch (error) {
      throw this.#interrupted(error, 'credentials');
    }
  }

  /** A timeout outside an attempt becomes a typed error; everything else stays what it is. */
  #interrupted(error: unknown, phase: 'credentials'): unknown {
    if (!(error instanceof Interruption) || error.kind === 'aborted') return error;
    return new TimeoutError(phase, Number(error.reason), this.#facts(this.#earlier));
  }

  #facts(outcome: Outcome) {
    return { operation: this.#call.endpoint.id, outcome, attempts: this.#tally.attempts };
  }

  #count(ending: Ending): void {
    if (ending.column === 'connect') this.#tally.connectFailures++;
    else if (ending.outcome !== 'not_sent') this.#tally.delivered++;
    this.#tally.elapsed = this.#now - this.#startedAt;
  }

  /** How to read this refusal, where an earlier attempt may have been acted on. */
  #replay(ending: Ending): Replay<unknown> | undefined {
    if (CERTAINTY[this.#earlier] === 0) return undefined;
    return this.#call.endpoint.replay?.find(
      ({ status, code }) =>
        status === ending.status && (code === undefined || code === ending.businessCode),
    );
  }

  #replayedAnswer({ status = 0, headers = new Headers() }: Ending) {
    return { exchange: { status, headers, text: '' }, attempts: this.#tally.attempts };
  }

  /** One new token and one replay: the service answers 401 before it acts. */
  async #renew(ending: Ending, credentials: Readonly<Record<string, string>>): Promise<boolean> {
    const { authorization } = credentials;
    const { tokens, deadline, endpoint } = this.#call;
    if (ending.status !== 401 || this.#renewed || tokens === undefined) return false;
    if (authorization === undefined) return false;
    this.#renewed = true;
    const rejected = authorization.replace(/^Bearer /, '');
    try {
      this.#token = await deadline.run(deadline.remaining, () =>
        tokens.renew(rejected, endpoint.id),
      );
    } catch (error) {
      throw this.#interrupted(error, 'credentials');
    }
    return this.#token !== undefined;
  }

  /** Milliseconds until the next attempt; `undefined` when there is to be none. */
  #delay(ending: Ending): number | undefined {
    const { policy, retry, settings } = this.#call;
    const retries = this.#tally.connectFailures + this.#tally.delivered;
    if (retries > retry.maxRetries || !mayRepeat(ending, policy, this.#tally)) return undefined;
    const { retryAfterMs = 0 } = ending;
    if (retryAfterMs > retry.maxRetryAfter) return undefined;
    if (!settings.budget.spend(ending.timedOut)) return undefined;
    return Math.max(retryAfterMs, backoffDelay(retries, retry, settings.environment.random));
  }

  async #backOff(delay: number, ending: Ending): Promise<void> {
    const { deadline } = this.#call;
    if (delay < deadline.remaining) return deadline.wait(delay);
    const facts = this.#facts(this.#merged(ending.outcome));
    throw new TimeoutError('backoff', deadline.totalTimeout, facts, this.#error(ending, undefined));
  }

  #merged(outcome: Outcome): Outcome {
    // A read has no effect that a later refusal could leave in doubt.
    if (this.#call.policy.class === 'R') return outcome;
    return CERTAINTY[this.#earlier] > CERTAINTY[outcome] ? this.#earlier : outcome;
  }

  #error(ending: Ending, replayed: Replay<unknown> | undefined): CardPlatformError {
    const probableOutcome = replayed?.means === 'unknown' ? replayed.probably : undefined;
    return ending.toError({ ...this.#facts(this.#merged(ending.outcome)), probableOutcome });
  }

  #log({ answer, ending }: Attempted, startedAt: number, retryInMs: number | undefined): void {
    const { logger } = this.#call.settings;
    if (logger === undefined) return;
    const { endpoint } = this.#call;
    const headers = answer?.headers ?? ending?.headers;
    const fields: LogFields = {
      operation: endpoint.id,
      method: endpoint.method,
      route: endpoint.path,
      attempt: this.#tally.attempts,
      durationMs: this.#now - startedAt,
      status: answer?.status ?? ending?.status,
      requestId: headers === undefined ? undefined : requestIdOf(headers),
      ...(ending !== undefined && { outcome: ending.outcome, retryInMs }),
    };
    const words =
      ending === undefined ? 'answered' : retryInMs === undefined ? 'failed' : 'repeating';
    log(logger, ending === undefined ? 'debug' : 'warn', fields, `${endpoint.id} ${words}`);
  }
}

/** Sends a call, as often as the repeat matrix allows, until it has a success answer. */
export function sendAttempts(call: Call): Promise<Received> {
  return new Attempts(call).run();
}
