import type { BusinessErrorCode } from './business-errors.js';
import type { ListName } from './lists.js';
import type { DocumentedRefusal } from './refusals.js';
import type { RetryClass, RetryPolicy } from './retry-policy.js';
import type { Safeguard } from './safeguard.js';
import type { Schema } from './schema.js';

/** A credential that an endpoint needs, named after the client option that contains it. */
export type Credential = 'clientKey' | 'clientId' | 'secretKey' | 'accessToken';

/** How a request is routed to the US: by header `x-us-env`, by header or query `region`, or not. */
export type Routing = 'header' | 'header-or-query' | 'none';

/**
 * Whether a web page may call an endpoint through a proxy of `card-platform-sdk/server`. `allowed`: by
 * default. `on-request`: only if the operator lists it in `allow`. `never`: not even then, because
 * its response contains a secret that outlives the page.
 */
export type PageAccess = (typeof PAGE_ACCESS)[number];

/** The values of {@link PageAccess}, from open to closed. */
export const PAGE_ACCESS = ['allowed', 'on-request', 'never'] as const;

/** How certain the sources make an observed call. */
export type Certainty = 'high' | 'medium' | 'low';

/** How the body of a success response is read: parsed, as text, or as it is. */
export type ResponseKind = 'json' | 'text' | 'bytes';

/** The response to one success status. */
export type ResponseShape = {
  /**
   * The promise: exactly what the contract documents, and for a preview what was observed. A
   * difference from the contract is reported as drift, or refused in strict mode.
   */
  readonly promise: Schema;
  /**
   * The least that a caller's program needs: a response that breaks it is useless or unsafe to
   * read, which is always an error. For a command, it proves that the command was done. Derived
   * from the promise and the list of essential fields. Absent if any response is accepted.
   */
  readonly tolerance?: Schema;
  /**
   * Whether an empty body means done, and the result needs no field; neither is drift. An empty body
   * is no text at all or `{}`, and for a command `null`. Never for a request that moves money.
   */
  readonly mayBeEmpty?: boolean;
  /** Whether `success: false` reports a part that failed, and does not refuse the call. */
  readonly isPartial?: boolean;
};

/** The meaning of a response that its status and shape do not show. */
export type Interpretation<Output> =
  | { readonly means: 'result'; readonly result: Output }
  | { readonly means: 'otp-required'; readonly userId?: string; readonly phoneNumber?: string }
  | { readonly means: 'invalid'; readonly path: string; readonly rule: string };

/** The meaning of the response to a retry, when the first request may have arrived. */
export type RetryResolution<Output> = {
  readonly status: number;
  readonly code?: BusinessErrorCode;
} & (
  | { readonly means: 'done'; readonly result: Output }
  | { readonly means: 'unknown'; readonly probably?: 'executed' }
);

/** How the journal looks for the effect of a request whose outcome is not known. */
export type Lookup = {
  /** The input fields that a journal entry contains. */
  readonly details: readonly string[];
  /** For details that are lists of objects: the fields of each item that an entry contains. */
  readonly listDetails?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The details that identify what a request acts on. Default: none. */
  readonly target?: readonly string[] | undefined;
  /** A name shared by endpoints whose requests undo each other. Default: the id of the endpoint. */
  readonly actsOn?: string | undefined;
  /** Whether a request may take money from a wallet. Default `true`. */
  readonly takesFromWallets?: boolean | undefined;
  /** Whether every user of the tenant sees the effect, in every region. Default `false`. */
  readonly isOfTenant?: boolean | undefined;
  /** Typed by `defineEndpoint`. It may return anything. */
  readonly look?: ((tools: never) => unknown) | undefined;
  /** Why no read shows the effect. */
  readonly undecidedBecause?: string | undefined;
};

/**
 * One endpoint of the service. Everything else is derived from these values.
 *
 * `Class` is its retry class where the type knows it: an `Endpoint<Input, Output, 'safe'>` only reads.
 */
export type Endpoint<Input = unknown, Output = unknown, Class extends RetryClass = RetryClass> = {
  /** Stable id, the same as the path to the client method: `card.freeze`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path template; `{name}` is replaced by the input field of that name. */
  readonly path: string;
  /** Whether a web page may call it through a proxy. `allow` of the proxy never opens `never`. */
  readonly pageAccess: PageAccess;
  readonly credentials: readonly Credential[];
  readonly routing: Routing;
  /** `contract`: the contract documents its shapes. `preview`: it lists the endpoint at most. */
  readonly stability: 'contract' | 'preview';
  /** How certain an observed call is. */
  readonly certainty?: Certainty;
  readonly retry: RetryPolicy<Class>;
  /** Another policy for inputs where a field has a value: a faucet makes a harmless GET `never`. */
  readonly retryWhen?:
    | {
        readonly field: string;
        readonly is: unknown;
        readonly retry: RetryPolicy;
        /** Default timeout in that case, in milliseconds. */
        readonly timeout?: number;
      }
    | undefined;
  /** The input of a call, under the names that callers use. */
  readonly input: Schema<Input>;
  /**
   * Input fields of the query. Fields of the path go into the path, fields in `headerFields` into
   * headers, and all others into the body.
   */
  readonly query?: readonly string[];
  /** Input fields that the service spells differently: our name to the name on the wire. */
  readonly wireNames?: Readonly<Record<string, string>>;
  /** An input field whose keys are merged into the body; they never replace a declared field. */
  readonly extraBodyField?: string;
  /** An input field that is the whole body. */
  readonly wholeBodyField?: string;
  /** Input fields that only steer the checks of this package. The service never gets them. */
  readonly localFields?: readonly string[];
  /** Input fields whose values are secrets. */
  readonly secretInputs?: readonly string[];
  /** Whether a body is sent (in JSON, `{}` when no field is given). */
  readonly sendsBody: boolean;
  /** Input fields that must be on a list of the contract, unless the caller added the value. */
  readonly listed?: Readonly<Record<string, ListName>>;
  /** Checks of a client beyond the contract. */
  readonly safeguards?: readonly Safeguard[];
  /** The success statuses and their shapes: documented ones, and for a preview the observed ones. */
  readonly responses: Readonly<Record<number, ResponseShape>>;
  /** The result of a success response without a body; if absent, an empty body is an error. */
  readonly whenEmpty?: { readonly result: Output };
  /** The endpoint of the contract that a raw request reaches: its form proves that it was done. */
  readonly reaches?: Endpoint;
  /**
   * Reads the meaning of the response, where its shape does not show it. The input is that of the
   * call; with `{}`, only the response itself counts.
   */
  readonly interpret?: (
    data: unknown,
    status: number,
    input: Readonly<Record<string, unknown>>,
  ) => Interpretation<Output>;
  /** The error statuses that the contract documents. */
  readonly errors: readonly number[];
  /** The refusals whose messages are known: the contract documents them, or they were seen. */
  readonly businessErrors: readonly DocumentedRefusal[];
  /** Dotted paths in the response that print redacted. */
  readonly secrets: readonly string[];
  /** Whether fields with the name of a secret print redacted too, at any depth. */
  readonly redactsNamed?: boolean;
  readonly retryResolutions?: readonly RetryResolution<Output>[];
  /** How the body of a success response is read. Default `json`. Does not affect error bodies. */
  readonly response?: ResponseKind;
  /** The header `accept`. Default `application/json`; for text and bytes any type. */
  readonly accept?: string;
  /** The longest success body, in bytes after decompression. Default 1 MiB. */
  readonly maxResponseBytes?: number;
  /** Media types of a success body that is text or bytes. Another one is an error. */
  readonly mediaTypes?: readonly string[];
  /** How a body is written. Default `json`. */
  readonly bodyEncoding?: 'json' | 'form';
  /** Input fields that go into a header: our name to the header's. */
  readonly headerFields?: Readonly<Record<string, string>>;
  /** The results that error statuses stand for. */
  readonly resultWhen?: Readonly<Record<number, unknown>>;
  /** Whether a 401 asks for a new access token. Default `true`. */
  readonly renewsToken?: boolean;
  /** A schema of the caller for the result. It may be async. */
  readonly output?: Schema<Output>;
  /**
   * Whether the endpoint is declared outside the contract. Its `input` may then be any Standard
   * Schema, whose output is sent, and the values of path and query are checked as well.
   */
  readonly isOutsideContract?: boolean;
  /** How the journal looks for the effect of a request that must not be sent twice. */
  readonly reconcile?: Lookup | undefined;
  /**
   * `false`: the journal keeps no entry, because nothing is lost when the outcome stays unknown,
   * and no read shows it. Default `true`.
   */
  readonly isRecorded?: boolean | undefined;
  /** The fields of the result that hold a new access token and the id of its user: a login. */
  readonly issuedToken?: { readonly token: string; readonly userId: string };
};

/** A placeholder of a path template. */
export const PLACEHOLDER = /\{([A-Za-z]+)\}/g;

/** The names of the placeholders of a path template. */
export function placeholdersIn(path: string): readonly string[] {
  return Array.from(path.matchAll(PLACEHOLDER), ([, name = '']) => name);
}
