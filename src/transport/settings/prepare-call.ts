import type { Endpoint } from '../../contract/endpoint.js';
import type { Schema } from '../../contract/schema.js';
import type { AttemptPlan } from '../attempts/attempt-plan.js';
import { callCredentials } from '../credentials/call-credentials.js';
import { type CheckedInput, validateInput } from '../request/validate.js';
import { buildWireRequest } from '../request/wire-request.js';
import { secretsUnder, textsIn } from '../response/redact.js';
import type { ResponseSettings } from '../response/response-settings.js';
import { isSecretInput } from '../response/secret-names.js';
import type { CheckedCall } from './check-call.js';

/** One call, validated and ready to be sent. */
export type Call = {
  plan: AttemptPlan;
  /** A checked copy. */
  input: CheckedInput;
  response: ResponseSettings;
  /** The caller's own schema for the response. */
  schema: Schema | undefined;
};

/** Milliseconds per attempt, where neither caller nor endpoint says otherwise. */
const DEFAULT_TIMEOUT_MS = 15_000;

function policyOf({ retry, retryWhen }: Endpoint, input: CheckedInput) {
  const isSpecial = retryWhen !== undefined && input[retryWhen.field] === retryWhen.is;
  return isSpecial
    ? { policy: retryWhen.use, timeout: retryWhen.timeout }
    : { policy: retry, timeout: undefined };
}

/**
 * Validates the input of a call and builds its request. Nothing has been sent yet.
 *
 * @throws RequestValidationError
 */
export function prepareCall({ settings, endpoint, input, options }: CheckedCall): Call {
  const { attempts, credentials, request } = settings;
  const checked = validateInput(endpoint, input, request.additions);
  const { policy, timeout: usual = DEFAULT_TIMEOUT_MS } = policyOf(endpoint, checked);
  const { region, headers, tokens, timeout = usual, retry, middleware, deadline } = options;
  return {
    plan: {
      settings: attempts,
      endpoint,
      request: buildWireRequest(request.baseUrl, endpoint, checked, region, headers),
      policy,
      credentials: callCredentials(credentials, tokens, endpoint),
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
    schema: options.schema,
  };
}
