import type { Endpoint } from '../../contract/endpoint.js';
import type { RetryPolicy } from '../../contract/retry-policy.js';
import type { Outcome } from '../../errors/index.js';
import type { FindAdapter } from '../adapters/choose-adapter.js';
import type { WireRequest } from '../adapters/http-adapter.js';
import type { Clock } from './clock.js';
import type { Deadline, Work } from './deadline.js';
import type { Middleware } from './middleware.js';

/** The fields logged for an attempt; nothing else is ever logged. */
export type LogFields = {
  /** Endpoint id. */
  operation: string;
  method: string;
  /** Path template, without values. */
  route: string;
  /** 1 for the first. */
  attempt: number;
  durationMs: number;
  status?: number | undefined;
  requestId?: string | undefined;
  outcome?: Outcome | undefined;
  /** Wait before the next attempt, in milliseconds. */
  retryInMs?: number | undefined;
};

/** Receives log lines; `console` and pino fit. Its own errors and rejections are ignored. */
export type Logger = {
  /**
   * An attempt got a success status, or an error status that is a result. The body has not been read
   * yet: it may be unusable, or a refusal.
   */
  debug(fields: LogFields, message: string): void;
  /** An attempt got no response, or another status. */
  warn(fields: LogFields, message: string): void;
};

/** How long to wait between attempts, in milliseconds. */
export type BackoffOptions = { baseDelay: number; maxDelay: number; maxRetryAfter: number };

const FULL = 500;

/**
 * Keeps a client from making an outage worse: each retry costs tokens, each call that succeeds at
 * once returns one, and nothing is retried while the bucket is empty.
 */
export class RetryBudget {
  #tokens = FULL;

  /** Takes the cost of a retry; `false` when too few tokens are left. */
  spend(afterTimeout: boolean): boolean {
    const cost = afterTimeout ? 10 : 5;
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }

  /** Returns a token, because a call succeeded at its first attempt. */
  refund(): void {
    this.#tokens = Math.min(FULL, this.#tokens + 1);
  }
}

/** How attempts are retried. */
export type RetrySettings = BackoffOptions & { maxRetries: number };

/** The credential headers of one call. */
export type CallCredentials = {
  /** The headers of the next attempt, or a function that asks a token provider for them. */
  headers(): Record<string, string> | (() => Promise<Record<string, string>>);
  /**
   * Gets a token to replace the one that the service refused. `false` when there is none. If it is cut
   * short because time ran out, the next call does not wait for the same renewal.
   */
  renew: Work<boolean>;
  /** Every key of the client, and every token that this call has used. */
  secrets(): readonly string[];
  /** Reports that the service has refused the renewed token too. */
  renewedIsRejected(): void;
};

/** The client's options for attempts. */
export type AttemptSettings = {
  adapter: FindAdapter;
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
  /** The settings of the client. The settings of the call are separate fields. */
  settings: AttemptSettings;
  endpoint: Endpoint;
  request: WireRequest;
  /** The URL of the service, as the client was told. */
  baseUrl: string;
  /** Whether a proxy of `card-platform-sdk/server` receives it, and reports outcomes. */
  isProxied: boolean;
  policy: RetryPolicy;
  credentials: CallCredentials;
  deadline: Deadline;
  /** Milliseconds after which nothing may be sent any more, if a page says so. */
  sendWithin: number | undefined;
  /** Milliseconds per attempt. */
  timeout: number;
  retry: RetrySettings;
  middleware: readonly Middleware[];
  /** Input values that no error may contain. */
  secretInputs(): readonly string[];
  /**
   * Prepares the record of the call, before a token is chosen. At once if possible: a provider may go by
   * what the application is doing when it makes the call.
   */
  beforeCredentials?: () => Promise<unknown> | undefined;
  /** Records the call, with its first credentials, before anything is sent. */
  beforeSending?: (credentials: Readonly<Record<string, string>>) => Promise<void>;
  /** Refuses a token that has replaced the first one, if it may be of another user. */
  afterRenewal?: (credentials: Readonly<Record<string, string>>) => Promise<unknown>;
  /** Whether the journal has an entry of the call. */
  hasEntry?: boolean;
  /** The user whom the journal names, for a proxy, which chooses the token. */
  user?: string | undefined;
  /** Returns whether the caller gave an input field. */
  hasInput(name: string): boolean;
  /** Every input value: none may appear in the text of a foreign error. */
  inputValues(): readonly string[];
};
