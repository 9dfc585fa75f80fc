import type { BusinessErrorCode } from './business-errors.js';
import type { NoInput } from './common.js';
import type { CustomDeclaration, CustomInput, CustomResult, SentField } from './custom-types.js';
import type {
  Certainty,
  Endpoint,
  Lookup,
  ResponseKind,
  ResponseShape,
  RetryResolution,
} from './endpoint.js';
import { Field } from './field.js';
import { anything, input } from './fields.js';
import { withoutUndefined } from './formats/without-undefined.js';
import type { ContractReconcile, LookReads } from './lookup.js';
import { type RetryClass, type RetryDeclaration, retryPolicy } from './retry-policy.js';
import type { Schema } from './schema.js';

/** The input of an endpoint that takes none. */
export const NO_INPUT = input({});

/** Another retry class for inputs where a field has a value: a faucet makes a harmless GET `never`. */
type RetryWhen = RetryDeclaration & {
  readonly field: string;
  readonly is: unknown;
  /** Default timeout in that case, in milliseconds. */
  readonly timeout?: number;
};

/** What the response to a retry means, when the first request may have arrived. */
type WhenRetried<Output> = {
  /**
   * The results that refusals of a retry stand for, by their status or by the code of a documented
   * refusal: `{ card_already_frozen: { resolvedByRetry: true } }`.
   */
  readonly resultWhenRetried?:
    | Readonly<Partial<Record<number | BusinessErrorCode, Output>>>
    | undefined;
  /** The statuses that leave the outcome unknown, and what it probably is. */
  readonly unknownWhenRetried?: Readonly<Record<number, 'executed' | 'undecided'>> | undefined;
};

type Completed =
  | 'credentials'
  | 'routing'
  | 'stability'
  | 'sendsBody'
  | 'errors'
  | 'businessErrors'
  | 'secrets';

type Declared<Output> = Omit<
  Endpoint<unknown, Output>,
  Completed | 'input' | 'retry' | 'retryWhen' | 'retryResolutions' | 'reconcile' | 'isRecorded'
> &
  Partial<Pick<Endpoint, Completed>> &
  WhenRetried<Output>;

/**
 * Whether a request may be repeated. Where it must not, the declaration says how the journal finds
 * out what became of it.
 */
type Repeats<Input> =
  | (RetryDeclaration<Exclude<RetryClass, 'never'>> & {
      readonly retryWhen?: undefined;
      readonly reconcile?: undefined;
    })
  | (RetryDeclaration<Exclude<RetryClass, 'never'>> & {
      readonly retryWhen: RetryWhen;
      readonly reconcile: ContractReconcile<Input>;
    })
  | (RetryDeclaration<'never'> & {
      readonly retryWhen?: undefined;
      readonly reconcile: ContractReconcile<Input>;
    })
  | (RetryDeclaration<'never'> & {
      readonly retryWhen?: undefined;
      readonly reconcile?: undefined;
      readonly isRecorded: false;
    });

/**
 * The declaration of an endpoint whose responses the contract documents. `retry` must always be
 * written, because it decides whether money can move twice, and so must `pageAccess`, because it
 * decides who can move it. A request that must not be sent twice needs `reconcile`, which says how the
 * journal finds out what became of it, or `isRecorded: false`. What is left out means:
 *
 * | left out | means |
 * | --- | --- |
 * | `credentials` | client key and access token |
 * | `routing` | the header `x-us-env` |
 * | `stability` | `contract` |
 * | `input` | the endpoint has none |
 * | `sendsBody` | only with an `input`, and not for GET and DELETE |
 * | `errors`, `businessErrors`, `secrets` | none are documented |
 */
export type EndpointDeclaration<Input, Output> = Declared<Output> &
  Repeats<Input> &
  ([Input] extends [NoInput] ? { readonly input?: undefined } : { readonly input: Schema<Input> });

/** A declaration of any types. */
export type AnyDeclaration = Pick<Endpoint, 'id' | 'method' | 'path'> &
  RetryDeclaration &
  WhenRetried<unknown> & {
    readonly retryWhen?: RetryWhen | undefined;
    readonly reconcile?: Lookup | undefined;
    readonly mayBeEmpty?: boolean | undefined;
  } & {
    readonly [Name in Exclude<
      keyof Endpoint,
      'id' | 'method' | 'path' | 'retry' | 'retryWhen' | 'retryResolutions' | 'reconcile'
    >]?: Endpoint[Name] | undefined;
  };

/** What a declaration without documented `responses` shares with all others of its kind. */
const UNDOCUMENTED = {
  stability: 'preview',
  redactsNamed: true,
  isOutsideContract: true,
  // Closed until somebody decides.
  pageAccess: 'on-request',
} as const;

/** The promise of a response: what was observed of it, or the schema of the caller. */
function promiseOf(output: Schema = anything): Schema {
  const { field }: { field?: unknown } = Object(output);
  return field instanceof Field ? field : output;
}

/** The responses of a declaration that has none, by the one schema that describes its result. */
function undocumentedResponses({ output, mayBeEmpty = false }: AnyDeclaration) {
  const shape: ResponseShape = { promise: promiseOf(output), ...(mayBeEmpty && { mayBeEmpty }) };
  return mayBeEmpty || output !== undefined ? { 200: shape } : {};
}

/**
 * Whether an empty response means done. With a schema it is an error, because the schema promises a
 * result; and of a request that may move money it does not say that it did.
 */
function takesEmpty({ method, retry, output, response = 'json', mayBeEmpty }: AnyDeclaration) {
  const movesMoney = retry === 'never' && method !== 'GET';
  return response === 'json' && output === undefined && (mayBeEmpty ?? !movesMoney);
}

/** The meanings of the responses to a retry. */
function resolutionsOf(declaration: AnyDeclaration): readonly RetryResolution<unknown>[] {
  const { resultWhenRetried = {}, unknownWhenRetried = {}, businessErrors = [] } = declaration;
  const done = Object.entries(resultWhenRetried).map(([key, result]) => {
    const refusal = businessErrors.find(({ code }) => code === key);
    const when = refusal ? { status: refusal.status, code: refusal.code } : { status: Number(key) };
    return { ...when, means: 'done' as const, result };
  });
  const unknown = Object.entries(unknownWhenRetried).map(([status, probably]) => ({
    status: Number(status),
    means: 'unknown' as const,
    ...(probably === 'executed' && { probably }),
  }));
  return [...done, ...unknown];
}

function specialCase({ field, is, timeout, ...options }: RetryWhen): Endpoint['retryWhen'] {
  return { field, is, retry: retryPolicy(options), ...(timeout !== undefined && { timeout }) };
}

/** Declares a call that deployed clients make although the contract does not document it. */
// @__NO_SIDE_EFFECTS__
export function defineEndpoint<
  const InputSchema extends Schema | undefined = undefined,
  const OutputSchema extends Schema | undefined = undefined,
  const Kind extends ResponseKind = 'json',
  const Class extends RetryClass = RetryClass,
  const Detail extends SentField<InputSchema> = SentField<InputSchema>,
>(
  declaration: CustomDeclaration<InputSchema, OutputSchema, Kind, Class, Detail, LookReads> & {
    /** How certain the sources make the call. */
    readonly certainty: Certainty;
  },
): Endpoint<CustomInput<InputSchema>, CustomResult<OutputSchema, Kind>, Class>;
/** Declares an endpoint of the contract. */
// @__NO_SIDE_EFFECTS__
export function defineEndpoint<Input, Output>(
  declaration: EndpointDeclaration<Input, Output> & {
    readonly retry: 'safe';
    readonly retryWhen?: undefined;
  },
): Endpoint<Input, Output, 'safe'>;
// @__NO_SIDE_EFFECTS__
export function defineEndpoint<Input, Output>(
  declaration: EndpointDeclaration<Input, Output>,
): Endpoint<Input, Output>;
// @__NO_SIDE_EFFECTS__
export function defineEndpoint(declaration: object): Endpoint {
  // The overloads type what a declaration may hold. An endpoint only keeps it.
  return completeEndpoint(declaration as AnyDeclaration);
}

/**
 * Completes a declaration that is known to be valid: one of the contract, an observed one, or one of a
 * caller. It may have options that are `undefined`, which means left out.
 */
// @__NO_SIDE_EFFECTS__
export function completeEndpoint(declaration: AnyDeclaration): Endpoint {
  const { mayBeEmpty, resultWhenRetried, unknownWhenRetried, retryWhen, ...options } = declaration;
  const { retry, maxRequests, retryWithin, retryAfterNoResponse, ...more } = options;
  const { retryAfterStatuses, retryAfterConnectFailure, ...given } = more;
  const { method, input: taken, responses = undocumentedResponses(declaration) } = given;
  const resolutions = resolutionsOf(declaration);
  const endpoint: Omit<Endpoint, 'pageAccess'> = {
    credentials: ['clientKey', 'accessToken'],
    routing: 'header',
    stability: 'contract',
    sendsBody: taken !== undefined && !['GET', 'DELETE'].includes(method),
    errors: [],
    businessErrors: [],
    secrets: [],
    ...(given.responses === undefined && {
      ...UNDOCUMENTED,
      ...(takesEmpty(declaration) && { whenEmpty: { result: undefined } }),
    }),
    ...withoutUndefined(given),
    input: taken ?? NO_INPUT,
    responses,
    retry: retryPolicy(declaration),
    ...(retryWhen !== undefined && { retryWhen: specialCase(retryWhen) }),
    ...(resolutions.length > 0 && { retryResolutions: resolutions }),
  };
  return Object.freeze(endpoint) as Endpoint;
}
