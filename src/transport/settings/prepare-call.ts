import type { Endpoint } from '../../contract/endpoint.js';
import type { Schema } from '../../contract/schema.js';
import { ConfigurationError } from '../../errors/index.js';
import { requireExtraHeaders } from '../adapters/header-safety.js';
import type { AttemptPlan } from '../attempts/attempt-plan.js';
import { Deadline } from '../attempts/deadline.js';
import { callCredentials } from '../credentials/call-credentials.js';
import { type CheckedInput, validateInput } from '../request/validate.js';
import { buildWireRequest } from '../request/wire-request.js';
import { secretsUnder, textsIn } from '../response/redact.js';
import type { ResponseSettings } from '../response/response-settings.js';
import { isSecretInput } from '../response/secret-names.js';
import type { RequestOptions, SchemaOption } from './options.js';
import { ownOptions } from './own-options.js';
import { requireDuration, requireMiddleware, requireRegion } from './requirements.js';
import { requireRetry } from './retry-settings.js';
import { readTokens, type Settings } from './settings.js';

/** One call, checked and ready to be sent. */
export type Call = {
  plan: AttemptPlan;
  response: ResponseSettings;
  /** The caller's own schema for the response. */
  schema: Schema | undefined;
};

/** Milliseconds per attempt, where neither caller nor endpoint says otherwise. */
const DEFAULT_TIMEOUT_MS = 15_000;

type CallOptions = RequestOptions & Partial<SchemaOption<unknown>>;

// A record, so that the compiler asks for each option.
const OPTIONS: Readonly<Record<keyof CallOptions, true>> = {
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
const OPTION_NAMES = Object.keys(OPTIONS);

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

function requireSchema(schema: Schema | undefined): Schema | undefined {
  if (schema === undefined || typeof schema?.['~standard']?.validate === 'function') return schema;
  throw new ConfigurationError('schema', 'schema must be a Standard Schema.');
}

function policyOf({ repeat, repeatWhen }: Endpoint, input: CheckedInput) {
  const isSpecial = repeatWhen !== undefined && input[repeatWhen.field] === repeatWhen.is;
  return isSpecial
    ? { policy: repeatWhen.use, timeout: repeatWhen.timeout }
    : { policy: repeat, timeout: undefined };
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
  const { attempts, credentials } = settings;
  const options = ownOptions<CallOptions>(given, OPTION_NAMES);
  const checked = validateInput(endpoint, input, settings.request.additions);
  const { policy, timeout: usual = DEFAULT_TIMEOUT_MS } = policyOf(endpoint, checked);
  const { region = settings.request.region, totalTimeout = attempts.totalTimeout } = options;
  const headers = requireHeaders(options.headers, endpoint.id);
  const { baseUrl } = settings.request;
  const tokens = readTokens(options.accessToken, attempts.clock) ?? credentials.tokens;
  return {
    plan: {
      settings: attempts,
      endpoint,
      request: buildWireRequest(baseUrl, endpoint, checked, requireRegion(region), headers),
      policy,
      credentials: callCredentials(credentials, tokens, endpoint),
      timeout: requireDuration(options.timeout ?? attempts.timeout ?? usual, 'timeout'),
      retry: requireRetry(options.retry, attempts.retry),
      middleware:
        options.middleware === undefined
          ? attempts.middleware
          : [...attempts.middleware, ...requireMiddleware(options.middleware)],
      secretInputs: () => secretsUnder(checked, isSecretInput(endpoint)),
      inputValues: () => textsIn(checked),
      deadline: new Deadline(
        attempts.clock,
        requireDuration(totalTimeout, 'totalTimeout'),
        requireSignal(options.signal),
      ),
    },
    response: settings.response,
    schema: requireSchema(options.schema),
  };
}
