import type { Endpoint } from '../contract/endpoint.js';
import { isThenable } from '../contract/formats/is-thenable.js';
import type { Schema } from '../contract/schema.js';
import {
  CardPlatformError,
  ConfigurationError,
  isApiError,
  isCardPlatformError,
  TimeoutError,
} from '../errors/index.js';
import { secretsOf } from './attempts/attempt.js';
import type { AttemptPlan } from './attempts/attempt-plan.js';
import { CallAborted, CallInterrupted } from './attempts/deadline.js';
import { errorOfAbort, type Received, sendAttempts } from './attempts/send-attempts.js';
import { callCredentials } from './credentials/credentials.js';
import { isInstance } from './outcome/network-error.js';
import { outcomeOf, recordOutcome } from './outcome/outcome-of-error.js';
import { readResult } from './outcome/read-result.js';
import { type CheckedInput, validateInput } from './request/validate.js';
import { buildWireRequest, type Region, routeOf } from './request/wire-request.js';
import type { ResponseSettings } from './response/drift.js';
import type { CallResponse } from './response/platform-promise.js';
import { isSecretInput, secretsUnder, textsIn } from './response/redact.js';
import { redactError, rememberResult } from './response/redact-error.js';
import { CALL_OPTIONS, type CheckedCall, type CheckedOptions } from './settings/check-call.js';
import {
  JOURNAL,
  type Journal,
  type RecordedRequest,
  type Recorder,
  type SettleEntry,
} from './settings/journal-option.js';
import type { Settings } from './settings/settings.js';

/** One call, validated and ready to be sent. */
type Call = {
  plan: AttemptPlan;
  /** A checked copy. */
  input: CheckedInput;
  /** Where the call goes. */
  region: Region;
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
function prepareCall({ settings, endpoint, input, options }: CheckedCall): Call {
  const { attempts, credentials, request } = settings;
  const checked = validateInput(endpoint, input, request.additions, CALL_OPTIONS);
  refuseOtherRegion(endpoint, checked, options);
  const { policy, timeout: usual = DEFAULT_TIMEOUT_MS } = policyOf(endpoint, checked);
  const { headers, tokens, onToken, retry, middleware, deadline, timeout = usual } = options;
  const route = routeOf(endpoint, checked, options.region);
  const { region } = route;
  return {
    plan: {
      settings: attempts,
      endpoint,
      request: buildWireRequest(request, endpoint, checked, route, headers),
      baseUrl: request.baseUrl,
      isProxied: request.isProxied,
      policy,
      credentials: callCredentials(credentials, tokens, endpoint, region, onToken),
      timeout,
      retry,
      middleware,
      secretInputs: () => secretsUnder(checked, isSecretInput(endpoint)),
      inputValues: () => textsIn(checked),
      hasInput: (name) => checked[name] !== undefined,
      deadline,
      sendWithin: options.sendWithin,
    },
    input: checked,
    region,
    response: settings.response,
    schema: options.schema ?? endpoint.output,
  };
}

/** How long a call waits for the removal of its entry, in milliseconds. */
const REMOVAL_TIMEOUT_MS = 2_000;

/**
 * Reports the outcome to the journal. If that fails, the entry stays and can be reconciled: the result of
 * the call never changes.
 */
async function closeEntry(
  { settings }: CheckedCall,
  settleEntry: SettleEntry | undefined,
  ...ending: Parameters<SettleEntry>
): Promise<void> {
  if (settleEntry === undefined) return;
  const { clock } = settings.attempts;
  let cancel: (() => void) | undefined;
  const tooLong = new Promise<void>((resolve) => {
    cancel = clock.schedule(resolve, REMOVAL_TIMEOUT_MS);
  });
  await Promise.race([settleEntry(...ending).catch(() => undefined), tooLong]);
  cancel?.();
}

const tokenIn = (credentials: Readonly<Record<string, string>>) =>
  credentials['authorization']?.replace('Bearer ', '');

/** The request of a call, as the journal records it. */
function recordedRequest(
  { plan, input, region }: Call,
  { options }: CheckedCall,
  user: string | undefined,
  credentials: Readonly<Record<string, string>>,
): RecordedRequest {
  const { endpoint } = plan;
  const accessToken = tokenIn(credentials);
  const { totalTimeout } = options.deadline;
  const secrets = secretsOf(plan, credentials);
  const hasSecret = (text: string) => secrets.redact(text) !== text;
  return { endpoint, input, region, user, accessToken, totalTimeout, hasSecret };
}

const OF_USERS: readonly unknown[] = [
  'session_mismatch',
  'journal_failed',
  'configuration_invalid',
];

/** Whether the journal refuses a request because of its user or its options, and not because a store failed. */
const isOfUsers = (error: unknown) => isCardPlatformError(error) && OF_USERS.includes(error.code);

/** Runs work of the journal before a request leaves. */
async function inJournal<Result>(
  journal: Journal,
  plan: AttemptPlan,
  credentials: Readonly<Record<string, string>>,
  could: 'write an entry' | 'check whose the renewed token is',
  work: () => Promise<Result>,
): Promise<Result> {
  const { endpoint } = plan;
  try {
    return await work();
  } catch (error) {
    if (isOfUsers(error)) throw error;
    const fault = journal[JOURNAL].faultOf(error);
    const message = `the journal could not ${could}${fault === undefined ? '' : `: ${fault}`}.`;
    const advice =
      'Nothing was done. Check the options store and user of the journal, then try again.';
    // The service had refused the first token before.
    const outcome = could === 'write an entry' ? ('not_sent' as const) : ('rejected' as const);
    const facts = { code: 'journal_failed', outcome, isRetryable: true } as const;
    const failure = { ...facts, message, advice, operation: endpoint.id };
    // A store may quote what it could not write.
    throw redactError(
      new CardPlatformError(failure, error),
      endpoint,
      secretsOf(plan, credentials),
    );
  }
}

/** The user whom the journal names, or what keeps it from saying so. */
function namedBy(recorder: Recorder, { endpoint }: AttemptPlan): ReturnType<Recorder['namedUser']> {
  try {
    return recorder.namedUser(endpoint);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The same for a write that is not recorded: it is sent even if the journal cannot say it. */
function nameIfPossible(recorder: Recorder, plan: AttemptPlan): ReturnType<Recorder['namedUser']> {
  const asked = namedBy(recorder, plan);
  if (!isThenable(asked)) return asked;
  return asked.catch((error: unknown) => {
    if (isOfUsers(error)) throw error;
    return undefined;
  });
}

/**
 * Tells the proxy whom the page shows, with a write that is not recorded: another tab may have logged in
 * somebody else. Not with a read: the function `user` of the journal may make one.
 */
function nameUser(journal: Journal, { attempts, request }: Settings, plan: AttemptPlan): void {
  const recorder = journal[JOURNAL].recorder(attempts.clock, request.isProxied);
  plan.beforeCredentials = async () => {
    plan.user = await nameIfPossible(recorder, plan);
  };
}

/**
 * Runs a call that is recorded: its entry is written before the first attempt, and closed when the
 * outcome is known. The response is therefore read at once.
 */
async function runJournaled(
  journal: Journal,
  checked: CheckedCall,
  call: Call,
  run: () => Promise<CallResponse>,
): Promise<CallResponse> {
  const { plan } = call;
  const { attempts, request } = checked.settings;
  const { sendsWithoutEntry } = journal[JOURNAL];
  const recorder = journal[JOURNAL].recorder(attempts.clock, request.isProxied);
  let naming: Promise<string | undefined> | undefined;
  let settleEntry: SettleEntry | undefined;
  let recording: Promise<SettleEntry | undefined> | undefined;
  let first: string | undefined;
  plan.beforeCredentials = () => {
    const isNeeded = plan.endpoint.isRecorded !== false;
    const asked = isNeeded ? namedBy(recorder, plan) : nameIfPossible(recorder, plan);
    naming = Promise.resolve(asked);
    // If nobody is logged in, the error of the token says so.
    const answered = naming.catch(() => undefined);
    return isThenable(asked) ? answered : undefined;
  };
  plan.beforeSending = async (credentials) => {
    first = tokenIn(credentials);
    recording = inJournal(journal, plan, credentials, 'write an entry', async () => {
      try {
        plan.user = await naming;
        return await recorder.record(recordedRequest(call, checked, plan.user, credentials));
      } catch (error) {
        if (!sendsWithoutEntry || isOfUsers(error)) throw error;
        return undefined;
      }
    });
    settleEntry = await recording;
    plan.hasEntry = settleEntry !== undefined;
  };
  plan.afterRenewal = (credentials) =>
    inJournal(journal, plan, credentials, 'check whose the renewed token is', async () => {
      try {
        await recorder.requireStill(plan.endpoint, await naming, [first, tokenIn(credentials)]);
      } catch (error) {
        if (settleEntry !== undefined || isOfUsers(error)) throw error;
      }
    });
  let delivered: CallResponse;
  try {
    delivered = await run();
  } catch (error) {
    const outcome = isInstance(error, CallAborted) ? error.outcome : outcomeOf(error);
    await closeEntry(checked, settleEntry, outcome);
    // The call ended while its entry was being written. Nothing was sent, so the entry must go.
    if (settleEntry === undefined) {
      recording?.then((late) => late?.('not_sent')).catch(() => undefined);
    }
    throw error;
  }
  const { response, read } = delivered;
  try {
    // Only reading the response shows whether it is a success.
    const result = await read();
    await closeEntry(checked, settleEntry, 'executed', result, response.headers);
    return { response, read: () => result };
  } catch (error) {
    await closeEntry(checked, settleEntry, outcomeOf(error));
    return {
      response,
      read: () => {
        throw error;
      },
    };
  }
}

/** Throws the caller's own reason or error unchanged, and records its outcome and next step. */
function rethrow(error: unknown): never {
  if (!(error instanceof CallAborted)) throw error;
  recordOutcome(error.reason, error.outcome, error.next);
  throw error.reason;
}

function readResponse(
  { plan, input, response: settings, schema }: Call,
  received: Received,
): unknown {
  if (received.resolution !== undefined) return received.resolution.result;
  const { endpoint, policy, deadline } = plan;
  const { response, attempts, earlier, credentials } = received;
  const { value, facts } = readResult(
    {
      endpoint,
      response,
      input,
      attempts,
      earlier,
      retryClass: policy.class,
      hasEntry: plan.hasEntry === true,
      secrets: () => secretsOf(plan, credentials),
      sent: () => plan.inputValues(),
      hasInput: plan.hasInput,
      isProxied: plan.isProxied,
      isStrict: settings.isStrict,
      onDrift: settings.drift?.reporterFor(endpoint.id),
    },
    schema,
  );
  if (!(value instanceof Promise)) return value;
  // After an abort nothing waits for it.
  value.catch(() => undefined);
  // Only the caller's schema is async. If the call is awaited only after its deadline, the schema gets the
  // whole time again.
  const limit = deadline.remaining > 0 ? deadline.remaining : deadline.totalTimeout;
  return deadline
    .runBeyondTotal(limit, () => value)
    .catch((error) => {
      if (!(error instanceof CallInterrupted)) throw error;
      if (error.kind === 'aborted') return rethrow(errorOfAbort(error.reason, facts));
      throw new TimeoutError('schema', Number(error.reason), facts);
    });
}

async function sendCall(call: Call, { journal, request }: Settings): Promise<CallResponse> {
  const { plan } = call;
  const learnTime = (headers: Pick<Headers, 'get'>) =>
    journal?.[JOURNAL].sees(headers, request.isProxied);
  const received = await sendAttempts(plan).catch((error: unknown) => {
    // Only for these requests does `rejected` mean that the service itself responded, so that `date`
    // is its time.
    if (plan.policy.class === 'never' && isApiError(error) && error.outcome === 'rejected') {
      learnTime(new Headers(error.headers));
    }
    throw error;
  });
  const secrets = () => secretsOf(plan, received.credentials);
  const fail = (error: unknown): never => {
    throw redactError(error, plan.endpoint, secrets());
  };
  const keep = (result: unknown) => {
    learnTime(received.response.headers);
    // The error of a wait contains the last result.
    if (plan.policy.class === 'safe') rememberResult(result, plan.endpoint, secrets);
    return result;
  };
  return {
    response: received.response,
    read: () => {
      try {
        const result = readResponse(call, received);
        return result instanceof Promise ? result.then(keep, fail) : keep(result);
      } catch (error) {
        return fail(error);
      }
    },
  };
}

/**
 * Runs a call: validates the input and builds the request (`request/`), sends it with credentials
 * (`credentials/`, `attempts/`, `adapters/`), and turns what came of it into a result or an error
 * (`outcome/`, `response/`).
 */
export async function runCall(checked: CheckedCall): Promise<CallResponse> {
  let plan: Call['plan'] | undefined;
  try {
    const call = prepareCall(checked);
    plan = call.plan;
    const { settings, options } = checked;
    const { journal } = settings;
    if (journal === undefined) return await sendCall(call, settings);
    const isRecorded = plan.policy.class === 'never' && !options.isUnrecorded;
    if (isRecorded)
      return await runJournaled(journal, checked, call, () => sendCall(call, settings));
    plan.user = options.user;
    const isWrite = plan.policy.class !== 'safe';
    if (settings.request.isProxied && isWrite) nameUser(journal, settings, plan);
    return await sendCall(call, settings);
  } catch (error) {
    // A value of the caller's own code is thrown as it is.
    if (plan === undefined || error instanceof CallAborted) return rethrow(error);
    throw redactError(error, plan.endpoint, secretsOf(plan, {}));
  } finally {
    checked.options.deadline.release();
  }
}
