import { withoutUndefined } from '../contract/formats/without-undefined.js';
import {
  ConfigurationError,
  type Credential,
  type CustomInput,
  type CustomResult,
  defineEndpoint,
  type Endpoint,
  type Routing,
} from '../endpoints/index.js';
import type { Schema } from '../index.js';

/** The changes that {@link override} makes to an observed endpoint. Omitted options stay. */
export type EndpointChanges<
  InputSchema extends Schema | undefined = undefined,
  OutputSchema extends Schema | undefined = undefined,
> = {
  /** Another path, with the same `{placeholders}`. */
  path?: string | undefined;
  /** The credentials to send, and no others: `['clientKey', 'secretKey']`. */
  credentials?: readonly Credential[] | undefined;
  /** How the endpoint receives US routing. */
  routing?: Routing | undefined;
  /** Whether a body is sent; `{}` in JSON when no field is given. */
  sendsBody?: boolean | undefined;
  /** How the body is written: JSON, or the fields of an HTML form. */
  bodyEncoding?: 'json' | 'form' | undefined;
  /** The header `accept`. */
  accept?: string | undefined;
  /** The longest success body, in bytes after decompression. */
  maxResponseBytes?: number | undefined;
  /** How many requests of one call may reach the service. Never more than the retry class allows. */
  maxRequests?: number | undefined;
  /** Whether an empty success body means done. */
  mayBeEmpty?: boolean | undefined;
  /** The input fields that go into the query, in place of the whole list. */
  query?: readonly string[] | undefined;
  /** Other names on the wire. Fields that are not listed here keep theirs. */
  wireNames?: Readonly<Record<string, string>> | undefined;
  /** Input fields to send in a header. They leave the query. */
  headerFields?: Readonly<Record<string, string>> | undefined;
  /** Media types of a body that is text or bytes. `[]` accepts any. */
  mediaTypes?: readonly string[] | undefined;
  /** Another input, for fields that this package does not know. Its fields keep their wire names. */
  input?: InputSchema;
  /** Another result. */
  output?: OutputSchema;
  /** Further secret input fields. */
  secretInputs?: readonly string[] | undefined;
  /** Further secret fields of the response. */
  secrets?: readonly string[] | undefined;
};

type Given = Readonly<Record<string, unknown>>;
type Declare = (declaration: Given) => Endpoint;

/** The options that an observed endpoint was declared with. */
function declarationOf(endpoint: Endpoint) {
  const { retry, responses, retryResolutions, stability, whenEmpty, isOutsideContract, ...rest } =
    endpoint;
  const { businessErrors, redactsNamed, listed, safeguards, certainty, ...options } = rest;
  const done = retryResolutions?.flatMap((one) =>
    one.means === 'done' ? [[one.status, one.result]] : [],
  );
  const empty = responses[200]?.mayBeEmpty;
  return {
    ...options,
    retry: retry.class,
    maxRequests: retry.maxRequests,
    retryAfterStatuses: retry.afterStatuses,
    retryAfterNoResponse: retry.afterNoResponse,
    retryAfterConnectFailure: retry.afterConnectFailure,
    ...(retry.within !== undefined && { retryWithin: retry.within }),
    ...(empty !== undefined && { mayBeEmpty: empty }),
    ...(done !== undefined && { resultWhenRetried: Object.fromEntries(done) }),
  };
}

/**
 * Returns a copy of an observed endpoint that differs in some points: for a service that is set up
 * differently from the observed ones. Its id, method, retry class, page access and kind of response
 * stay. Use it with `call`, or pass it to {@link observe}.
 *
 * @experimental
 * @throws ConfigurationError that says which option cannot work
 * @example
 * ```ts
 * import { observe, override, refreshOAuth } from 'card-platform-sdk/observed';
 *
 * // One client sends `x-secret-key` with its grants.
 * const refresh = override(refreshOAuth, { credentials: ['clientKey', 'secretKey'] });
 * const { auth } = observe(client, { endpoints: { 'auth.oauth.refresh': refresh } });
 * await auth.oauth.refresh({ refreshToken: 'the refresh token' });
 * ```
 */
// @__NO_SIDE_EFFECTS__
export function override<
  Input,
  Output,
  const InputSchema extends Schema | undefined = undefined,
  const OutputSchema extends Schema | undefined = undefined,
>(
  endpoint: Endpoint<Input, Output>,
  changes: EndpointChanges<InputSchema, OutputSchema>,
): Endpoint<
  [InputSchema] extends [Schema] ? CustomInput<InputSchema> : Input,
  [OutputSchema] extends [Schema] ? CustomResult<OutputSchema, 'json'> : Output
> {
  if (Object(endpoint).isOutsideContract !== true) {
    throw new ConfigurationError('endpoint', 'endpoint must be an observed endpoint.');
  }
  if (typeof changes !== 'object' || changes === null) {
    throw new ConfigurationError('changes', 'changes must be an object.');
  }
  const before = declarationOf(endpoint as Endpoint);
  const given: object = withoutUndefined(changes);
  for (const fixed of ['id', 'retry', 'pageAccess', 'method', 'response']) {
    if (fixed in given) throw new ConfigurationError(fixed, `${fixed} cannot be overridden.`);
  }
  const { headerFields = {}, mediaTypes = before.mediaTypes, query = before.query } = changes;
  const merged: Given = {
    ...before,
    ...given,
    query: query?.filter((name) => !Object.hasOwn(headerFields, name)),
    wireNames: { ...before.wireNames, ...changes.wireNames },
    headerFields: { ...before.headerFields, ...headerFields },
    secretInputs: [...(before.secretInputs ?? []), ...(changes.secretInputs ?? [])],
    secrets: [...before.secrets, ...(changes.secrets ?? [])],
    mediaTypes: mediaTypes?.length === 0 ? undefined : mediaTypes,
  };
  // The types of this function follow from the schemas.
  return (defineEndpoint as unknown as Declare)(merged) as ReturnType<
    typeof override<Input, Output, InputSchema, OutputSchema>
  >;
}
