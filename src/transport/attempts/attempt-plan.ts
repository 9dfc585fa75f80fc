import type { Endpoint } from '../../contract/endpoint.js';
import type { RetryPolicy } from '../../contract/retry-policy.js';
import type { AdapterChoice } from '../adapters/choose-adapter.js';
import type { WireRequest } from '../adapters/http-adapter.js';
import type { BackoffOptions } from './backoff.js';
import type { Clock } from './clock.js';
import type { Deadline } from './deadline.js';
import type { Logger } from './logging.js';
import type { Middleware } from './middleware.js';
import type { RetryBudget } from './retry-budget.js';

/** How attempts are retried. */
export type RetrySettings = BackoffOptions & { maxRetries: number };

/** The credential headers of one call. */
export type CallCredentials = {
  /** The headers of the next attempt; a promise only where a token provider is asked. */
  headers(): Record<string, string> | Promise<Record<string, string>>;
  /**
   * Asks for a token in place of the one that the service refused. `false` where there is none.
   *
   * @param onCut - takes what forgets a provider that has not answered in time
   */
  renew(onCut: (forget: () => void) => void): Promise<boolean>;
};

/** What a client's options say about attempts. */
export type AttemptSettings = {
  adapter: AdapterChoice;
  /** Milliseconds per attempt; `undefined` leaves the choice to the endpoint. */
  timeout: number | undefined;
  /** Milliseconds over all attempts and the waits between them. */
  totalTimeout: number;
  retry: RetrySettings;
  budget: RetryBudget;
  middleware: readonly Middleware[];
  logger: Logger | undefined;
  clock: Clock;
  /** A number from 0 up to 1. */
  random: () => number;
};

/** Everything that the attempts of one call need. */
export type AttemptPlan = {
  /** Of the client. Where the call has its own, that stands beside it. */
  settings: AttemptSettings;
  endpoint: Endpoint;
  request: WireRequest;
  policy: RetryPolicy;
  credentials: CallCredentials;
  deadline: Deadline;
  /** Milliseconds per attempt. */
  timeout: number;
  retry: RetrySettings;
  middleware: readonly Middleware[];
  /** Values of the input that no error may repeat. */
  secretInputs(): readonly string[];
  /** Every value of the input: none may show in the words of somebody else's error. */
  inputValues(): readonly string[];
};
