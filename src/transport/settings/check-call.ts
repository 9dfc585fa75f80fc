import type { Endpoint } from '../../contract/endpoint.js';
import type { Schema } from '../../contract/schema.js';
import { UNRECORDED } from '../../contract/unrecorded.js';
import { ConfigurationError } from '../../errors/index.js';
import { requireExtraHeaders } from '../adapters/header-safety.js';
import type { RetrySettings } from '../attempts/attempt-plan.js';
import { Deadline } from '../attempts/deadline.js';
import type { Middleware } from '../attempts/middleware.js';
import { ON_TOKEN, type OnToken, type TokenSource } from '../credentials/credentials.js';
import { copyInput, type InputCopy } from '../request/copy-input.js';
import type { Region } from '../request/wire-request.js';
import {
  ownOptions,
  requireDuration,
  requireMiddleware,
  requireRegion,
  requireSchema,
} from './check-options.js';
import { OF_USER } from './journal-option.js';
import type { RequestOptions, SchemaOption } from './options.js';
import { notThroughProxy, requireRetry, type Settings } from './settings.js';

/** The option of a proxy: the milliseconds in which the request of a page may be sent. */
export const SEND_WITHIN: unique symbol = Symbol.for('card-platform-sdk.send-within');

/** The options of one call, checked, with those of the client where the call has none. */
export type CheckedOptions = {
  readonly region: Region;
  /** Whether the call itself chose the region. */
  readonly isRegionOfCall: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly tokens: TokenSource | undefined;
  /** Is called with each token that a provider returns for the call: the proxy conceals them. */
  readonly onToken: OnToken | undefined;
  /** Whether the journal keeps no entry, because the caller finds out what became of the call. */
  readonly isUnrecorded: boolean;
  /** The user whose data a read of the journal is to be. */
  readonly user: string | undefined;
  /** Milliseconds after which the request may no longer be sent; `undefined` without a limit. */
  readonly sendWithin: number | undefined;
  /** Milliseconds per attempt; `undefined` leaves the choice to the endpoint. */
  readonly timeout: number | undefined;
  readonly retry: RetrySettings;
  readonly middleware: readonly Middleware[];
  /** Runs since the call was made. */
  readonly deadline: Deadline;
  /** The caller's own schema for the response. */
  readonly schema: Schema | undefined;
};

/** One call as it was made. Later changes by the caller have no effect. */
export type CheckedCall = {
  readonly settings: Settings;
  readonly endpoint: Endpoint;
  /** A copy that is not validated yet. */
  readonly input: InputCopy;
  readonly options: CheckedOptions;
};

/** Options of a call, a `schema` included. */
export type CallOptions = RequestOptions & Partial<SchemaOption<unknown>>;

/** The names of the options. A record, so that the compiler asks for each of them. */
export const CALL_OPTIONS: Readonly<Record<keyof CallOptions, true>> = {
  signal: true,
  timeout: true,
  totalTimeout: true,
  headers: true,
  region: true,
  accessToken: true,
  retry: true,
  middleware: true,
  schema: true,
};
const OPTION_NAMES = Object.keys(CALL_OPTIONS);

function requireSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || typeof signal?.addEventListener === 'function') return signal;
  throw new ConfigurationError('signal', 'signal must be an AbortSignal.');
}

function requireHeaders(headers: unknown, operation: string): Record<string, string> {
  if (headers === undefined) return {};
  const isPlain = typeof headers === 'object' && headers !== null && !('append' in headers);
  if (isPlain) return requireExtraHeaders(headers as Record<string, string>, operation);
  throw new ConfigurationError('headers', 'headers must be a plain object.', operation);
}

function checkOptions(
  { request, attempts, credentials }: Settings,
  { id }: Endpoint,
  given: RequestOptions,
): CheckedOptions {
  const options = ownOptions<CallOptions>(given, OPTION_NAMES);
  const { region = request.region, totalTimeout = attempts.totalTimeout } = options;
  const { timeout = attempts.timeout } = options;
  // The proxy would act for the user of the session, and not for the one of this token.
  if (request.isProxied && options.accessToken !== undefined) throw notThroughProxy('accessToken');
  return {
    headers: requireHeaders(options.headers, id),
    tokens:
      options.accessToken === undefined
        ? credentials.tokens
        : credentials.sourceOf(options.accessToken, attempts.clock),
    onToken: (given as { [ON_TOKEN]?: OnToken })[ON_TOKEN],
    isUnrecorded: (given as { [UNRECORDED]?: true })[UNRECORDED] === true,
    user: (given as { [OF_USER]?: string })[OF_USER],
    sendWithin: (given as { [SEND_WITHIN]?: number })[SEND_WITHIN],
    region: requireRegion(region),
    isRegionOfCall: options.region !== undefined,
    timeout: timeout === undefined ? undefined : requireDuration(timeout, 'timeout'),
    retry: requireRetry(options.retry, attempts.retry),
    middleware:
      options.middleware === undefined
        ? attempts.middleware
        : [...attempts.middleware, ...requireMiddleware(options.middleware)],
    schema: requireSchema(options.schema, 'schema'),
    // Last, because it listens to the signal.
    deadline: new Deadline(
      attempts.clock,
      requireDuration(totalTimeout, 'totalTimeout'),
      requireSignal(options.signal),
    ),
  };
}

/**
 * Checks the options of a call and copies its input, at the moment of the call.
 *
 * @throws ConfigurationError
 */
export function checkCall(
  settings: Settings,
  endpoint: Endpoint,
  input: unknown,
  given: RequestOptions,
): CheckedCall {
  const copy = copyInput(input);
  return { settings, endpoint, input: copy, options: checkOptions(settings, endpoint, given) };
}
