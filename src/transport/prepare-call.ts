import type { Endpoint } from '../contract/endpoint.js';
import type { Schema } from '../contract/schema.js';
import { ConfigurationError } from '../errors/index.js';
import type { AttemptPlan } from './attempts/attempt-plan.js';
import { callCredentials } from './credentials/credentials.js';
import { type CheckedInput, validateInput } from './request/validate.js';
import { buildWireRequest } from './request/wire-request.js';
import type { ResponseSettings } from './response/drift.js';
import { isSecretInput, secretsUnder, textsIn } from './response/redact.js';
import { CALL_OPTIONS, type CheckedCall, type CheckedOptions } from './settings/check-call.js';

/** One call, validated and ready to be sent. */
export type Call = {
  plan: AttemptPlan;
  /** A checked copy. */
  input: CheckedInput;
  response: ResponseSettings;
  /** The caller's own schema for the response. */
  schema: Schema | undefined;
};

/** Milliseconds per attempt, unless the caller or the endpoint sets another number. */
const DEFAULT_TIMEOUT_MS = 15_000;

function policyOf({ retry, retryWhen }: Endpoint, input: CheckedInput) {
  const isSpecial = retryWhen !== undefined && input[retryWhen.field] === retryWhen.is;
  return isSpecial
    ? { policy: retryWhen.retry, timeout: retryWhen.timeout }
    : { policy: retry, timeout: undefined };
}

/** Refuses a call whose option and query name different regions: either could be the mistake. */
function refuseOtherRegion(
  { id, query = [], wireNames = {} }: Endpoint,
  input: CheckedInput,
  { region, isRegionOfCall }: CheckedOptions,
): void {
  const field = query.find((name) => (wireNames[name] ?? name) === 'region');
  const asked = field === undefined ? undefined : input[field];
  // Another endpoint may use `region` in its query for anything.
  const isOther = (asked === 'us' || asked === 'global') && asked !== region;
  if (!isOther || !isRegionOfCall) return;
  throw new ConfigurationError(
    'region',
    'region differs between the options of the call and its input: pass it once.',
    id,
  );
}

/**
 * Validates the input of a call and builds its request. Nothing has been sent yet.
 *
 * @throws RequestValidationError, ConfigurationError
 */
export function prepareCall({ settings, endpoint, input, options }: CheckedCall): Call {
  const { attempts, credentials, request } = settings;
  const checked = validateInput(endpoint, input, request.additions, CALL_OPTIONS);
  refuseOtherRegion(endpoint, checked, options);
  const { policy, timeout: usual = DEFAULT_TIMEOUT_MS } = policyOf(endpoint, checked);
  const { region, headers, tokens, timeout = usual, retry, middleware, deadline } = options;
  return {
    plan: {
      settings: attempts,
      endpoint,
      request: buildWireRequest(request, endpoint, checked, region, headers),
      baseUrl: request.baseUrl,
      isProxied: request.isProxied,
      policy,
      credentials: callCredentials(credentials, tokens, endpoint, region),
      timeout,
      retry,
      middleware,
      secretInputs: () => secretsUnder(checked, isSecretInput(endpoint)),
      inputValues: () => textsIn(checked),
      hasInput: (name) => checked[name] !== undefined,
      deadline,
    },
    input: checked,
    response: settings.response,
    schema: options.schema ?? endpoint.output,
  };
}
