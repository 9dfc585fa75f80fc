import type { Endpoint } from '../contract/endpoint.js';
import type { RepeatPolicy } from '../contract/repeat.js';
import type { Schema } from '../contract/schema.js';
import { ConfigurationError } from '../errors/index.js';
import { Deadline } from './deadline.js';
import { requireExtraHeaders } from './header-safety.js';
import type { Middleware } from './middleware.js';
import type { RequestOptions, SchemaOption } from './options.js';
import {
  DEFAULT_TIMEOUT_MS,
  ownOptions,
  type RetrySettings,
  readTokens,
  requireDuration,
  requireMiddleware,
  requireRegion,
  requireRetry,
  type Settings,
} from './settings.js';
import type { TokenSource } from './token-source.js';
import { validateInput } from './validate.js';
import { buildWireRequest, type WireRequest } from './wire-request.js';

/** One call, checked and ready to be sent. */
export type Call = {
  endpoint: Endpoint;
  settings: Settings;
  request: WireRequest;
  policy: RepeatPolicy;
  tokens: TokenSource | undefined;
  /** Milliseconds per attempt. */
  timeout: number;
  retry: RetrySettings;
  middleware: readonly Middleware[];
  deadline: Deadline;
  /** Values of the input that must not be repeated in an error. */
  secretInputs: readonly unknown[];
  /** The caller's own schema for the answer. */
  schema: Schema | undefined;
};

const OPTION_NAMES: readonly (keyof RequestOptions | 'schema')[] = [
  'signal',
  'timeout',
  'totalTimeout',
  'headers',
  'region',
  'accessToken',
  'retry',
  'middleware',
  'schema',
];

function requireSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || typeof signal?.addEventListener === 'function') return signal;
  throw new ConfigurationError('signal', 'signal must be an AbortSignal.');
}

function requireHeaders(headers: unknown, operation: string): Record<string, string> {
  if (headers === undefined) return {};
  if (typeof headers === 'object' && headers !== null && !(headers instanceof Headers)) {
    return requireExtraHeaders(headers as Record<string, string>, operation);
  }
  throw new ConfigurationError('headers', 'headers must be a plain object.', operation);
}

function requireSchema(schema: Schema | undefined): Schema | undefined {
  if (schema === undefined || typeof schema?.['~standard']?.validate === 'function') return schema;
  throw new ConfigurationError('schema', 'schema must be a Standard Schema.');
}

/**
 * Checks the input and the options of a call and builds its request. Nothing has been sent yet.
 *
 * @throws RequestValidationError, ConfigurationError
 */
export function prepareCall(
  settings: Settings,
  endpoint: Endpoint,
  input: unknown,
  given: RequestOptions,
): Call {
  const options = ownOptions<RequestOptions & Partial<SchemaOption<unknown>>>(given, OPTION_NAMES);
  const checked = validateInput(endpoint, input, settings.additions);
  const { repeatWhen } = endpoint;
  const special =
    repeatWhen && checked[repeatWhen.field] === repeatWhen.is ? repeatWhen : undefined;
  const { region = settings.region, totalTimeout = settings.totalTimeout } = options;
  const request = buildWireRequest(settings.baseUrl, endpoint, checked, requireRegion(region));
  Object.assign(request.headers, requireHeaders(options.headers, endpoint.id));
  const timeout = options.timeout ?? settings.timeout ?? special?.timeout ?? DEFAULT_TIMEOUT_MS;
  return {
    endpoint,
    settings,
    request,
    policy: special?.use ?? endpoint.repeat,
    tokens:
      readTokens(options.accessToken, settings.environment.clock) ?? settings.credentials.tokens,
    timeout: requireDuration(timeout, 'timeout'),
    retry: requireRetry(options.retry, settings.retry),
    middleware: [...settings.middleware, ...requireMiddleware(options.middleware ?? [])],
    deadline: new Deadline(
      settings.environment.clock,
      requireDuration(totalTimeout, 'totalTimeout'),
      requireSignal(options.signal),
    ),
    secretInputs: (endpoint.secretInputs ?? []).map((name) => checked[name]),
    schema: requireSchema(options.schema),
  };
}
