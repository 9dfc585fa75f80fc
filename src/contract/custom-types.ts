import type { NoInput } from './common.js';
import type { Credential, Endpoint, PageAccess, ResponseKind, Routing } from './endpoint.js';
import type { Reconcile } from './lookup.js';
import type { RetryClass, RetryDeclaration } from './retry-policy.js';
import type { Schema } from './schema.js';

type Types<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T>
  : never;

/** The input of a call to an endpoint of your own, as its schema expects it. */
export type CustomInput<InputSchema> = [InputSchema] extends [Schema]
  ? Types<InputSchema> extends { readonly input: infer Input }
    ? Input
    : never
  : NoInput;

type OutputOf<S> = Types<S> extends { readonly output: infer Output } ? Output : never;

/**
 * The bytes of a response: a `Uint8Array`. An interface, because the compiler writes an inferred
 * `Uint8Array` with its type argument into a declaration, and TypeScript before 5.7 knows none.
 */
export interface ResponseBytes extends Uint8Array {}

type KindResult<Kind> = Kind extends 'bytes'
  ? ResponseBytes
  : Kind extends 'text'
    ? string
    : unknown;

/** The result of a call to an endpoint of your own. */
export type CustomResult<OutputSchema, Kind> = [OutputSchema] extends [Schema]
  ? OutputOf<OutputSchema>
  : KindResult<Kind>;

type KeysOf<T> = T extends unknown ? keyof T & string : never;

/** The names of the fields that are sent: the fields of the input schema's output. */
export type SentField<InputSchema> = [InputSchema] extends [Schema]
  ? KeysOf<OutputOf<InputSchema>>
  : never;

/**
 * The declaration of an endpoint whose responses only a schema describes: one of a caller, or an
 * observed call.
 *
 * @typeParam Tools - what its `look` gets
 */
export type CustomDeclaration<
  InputSchema extends Schema | undefined = undefined,
  OutputSchema extends Schema | undefined = undefined,
  Kind extends ResponseKind = 'json',
  Class extends RetryClass = RetryClass,
  Detail extends SentField<InputSchema> = SentField<InputSchema>,
  Tools = never,
> = RetryDeclaration<Class> & {
  /** A name for errors, logs and middleware: `statements.download`. */
  id: string;
  method: Endpoint['method'];
  /** A path template below `baseUrl`: `/v1/statements/{month}`. Each placeholder is an input field. */
  path: string;
  /**
   * Whether a web page may call it through a proxy that has it in `endpoints`: by default (`allowed`),
   * only where `allow` lists it (`on-request`), or `never`. Default `on-request`: closed.
   */
  pageAccess?: PageAccess | undefined;
  /**
   * The input of a call: any Standard Schema, not async. Its output is sent, so a schema that
   * transforms is applied. Without it, the endpoint has no input.
   */
  input?: InputSchema;
  /**
   * The result: any Standard Schema, which may be async. A response that breaks it is an error. For
   * a request that does more than read, it also proves that the request was done: let it require
   * the fields that only a success has. If the schema also accepts `{}`, a response that only
   * describes an error is not a result.
   */
  output?: OutputSchema;
  /**
   * Input fields of the query. Fields of the path go into the path, fields in `headerFields` into
   * headers, and all others into the body.
   */
  query?: readonly SentField<InputSchema>[] | undefined;
  /** Input fields that the service spells differently: maps your name to the service's. */
  wireNames?: { readonly [Field in SentField<InputSchema>]?: string } | undefined;
  /**
   * Whether a body is sent (in JSON, `{}` when no field is given). Default: for `POST`, `PUT` and
   * `PATCH` with an `input`.
   */
  sendsBody?: boolean | undefined;
  /** The credentials to send, and no others. Default `['clientKey', 'accessToken']`. */
  credentials?: readonly Credential[] | undefined;
  /**
   * How the endpoint receives US routing: by the header `x-us-env`, by that or the query field
   * `region`, or not at all. Default `header`.
   */
  routing?: Routing | undefined;
  /**
   * How a success body is read: parsed, as a string (UTF-8), or as a `Uint8Array`. Error bodies are
   * read as JSON in every case. Default `json`.
   */
  response?: Kind | undefined;
  /** The header `accept`. Default `application/json`; for text and bytes any type. */
  accept?: string | undefined;
  /** The longest success body, in bytes after decompression. Default 1 MiB (1,048,576). */
  maxResponseBytes?: number | undefined;
  /**
   * Names of further input fields whose values no error may contain. Names such as `password` or
   * `token` are always secret.
   */
  secretInputs?: readonly string[] | undefined;
  /**
   * Dotted paths of further response fields that print redacted. Fields with names such as `token`
   * always do.
   */
  secrets?: readonly string[] | undefined;
  /** The error statuses that the service documents, for OpenAPI. They do not change a call. */
  errors?: readonly number[] | undefined;
  /**
   * Whether an empty success body means done: `output` then reads it like `{}`, and without an
   * `output` the result is `undefined`. Default: `true` without an `output`, but `false` for the
   * class `never` other than GET, whose requests may move money: an empty body does not say so, and
   * the call rejects with the outcome `unknown`. A text or bytes may be empty, except for the class
   * `never` other than GET.
   */
  mayBeEmpty?: boolean | undefined;
  /**
   * For texts and bytes: the media types of a success body. Any other is a `ProtocolError`, for
   * example an error in JSON with a success status. Default: any.
   */
  mediaTypes?: readonly string[] | undefined;
  /** How the body is written: JSON, or the fields of an HTML form. Default `json`. */
  bodyEncoding?: 'json' | 'form' | undefined;
  /**
   * Input fields that are sent in a header: maps your name to the header's, in lower case. The
   * headers of credentials, routing and framing cannot be set. Redact the values with
   * `secretInputs`.
   */
  headerFields?: { readonly [Field in SentField<InputSchema>]?: string } | undefined;
  /**
   * Results for statuses from 400 to 499: `{ 404: null }` if a missing object is not an error. Only
   * the status counts, but an HTML page is still an error.
   */
  resultWhen?: Readonly<Record<number, CustomResult<OutputSchema, Kind>>> | undefined;
  /**
   * The same for the response to a retry, when the first request may have taken effect:
   * `{ 404: { isDeleted: true } }`.
   */
  resultWhenRetried?: Readonly<Record<number, CustomResult<OutputSchema, Kind>>> | undefined;
  /**
   * Whether a 401 asks a token provider for another token. Set `false` for an endpoint that ends a
   * session. Default `true`.
   */
  renewsToken?: boolean | undefined;
  /**
   * How the journal looks for the effect of a request whose outcome is not known. For the class
   * `never` only. List the endpoint in `journal.endpoints` of the client. Default: such entries are
   * `undecided`.
   */
  reconcile?: Reconcile<SentField<InputSchema>, Detail, Tools> | undefined;
  /**
   * Whether the journal keeps an entry of a request of the class `never`. Set `false` if nothing is
   * lost when the outcome stays unknown, such as a code that the user can request again: then
   * nobody has to remove an `undecided` entry. Never for a request that moves money. Default
   * `true`.
   */
  isRecorded?: boolean | undefined;
};
