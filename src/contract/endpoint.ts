import type { BusinessErrorCode } from './business-errors.js';
import type { ListName } from './lists.js';
import type { RetryPolicy } from './retry-policy.js';
import type { Schema } from './schema.js';

/** A credential that an endpoint takes, named as the client option that holds it. */
export type Credential = 'clientKey' | 'clientId' | 'secretKey' | 'accessToken';

/** How an endpoint takes US routing: header `x-us-env`, that or the query `region`, or not at all. */
export type Routing = 'header' | 'header-or-query' | 'none';

/** What the service answers with one success status. */
export type ResponseShape = {
  /** The whole shape. What breaks it is reported as drift, or refused in strict mode. */
  readonly schema: Schema;
  /**
   * The few fields without which the answer is useless. What breaks this is always an error; the
   * whole shape asks for no less, so that an answer that keeps to it is checked once.
   */
  readonly essential?: Schema;
};

/** What an answer means, where its status and shape alone do not tell. */
export type Interpretation<Output> =
  | { readonly means: 'result'; readonly result: Output }
  | { readonly means: 'otp-required'; readonly userId?: string; readonly phoneNumber?: string }
  | { readonly means: 'unusable'; readonly path: string; readonly rule: string };

/** How to read the answer to a repeat, when nobody knows whether the first request had arrived. */
export type RetryResolution<Output> = {
  readonly status: number;
  readonly code?: BusinessErrorCode;
} & (
  | { readonly means: 'done'; readonly result: Output }
  | { readonly means: 'unknown'; readonly probably?: 'executed' }
);

/** One endpoint of the service, whole: everything else is derived from these values. */
export type Endpoint<Input = unknown, Output = unknown> = {
  /** Stable id, the same as the path to the client method: `card.freeze`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path template; `{name}` takes the input field of that name. */
  readonly path: string;
  readonly credentials: readonly Credential[];
  readonly routing: Routing;
  /** `contract`: api.md shows its shapes. `preview`: api.md only names it, or it was only seen. */
  readonly stability: 'contract' | 'preview';
  readonly retry: RetryPolicy;
  /** Another policy for inputs where a field has a value: a faucet makes a harmless GET class N. */
  readonly retryWhen?: {
    readonly field: string;
    readonly is: unknown;
    readonly use: RetryPolicy;
    /** Milliseconds to wait for the answer in that case, unless the caller says otherwise. */
    readonly timeout?: number;
  };
  /** What a call may say, in the names that callers use. */
  readonly input: Schema<Input>;
  /** Input fields that go into the query; those of the path aside, all others go into the body. */
  readonly query?: readonly string[];
  /** Input fields that the service spells otherwise: our name to the name on the wire. */
  readonly wireNames?: Readonly<Record<string, string>>;
  /** An input field whose keys are merged into the body; they never replace a declared field. */
  readonly extraBodyField?: string;
  /** An input field that is the whole body. */
  readonly wholeBodyField?: string;
  /** Input fields whose values are secrets. */
  readonly secretInputs?: readonly string[];
  /** Whether a JSON body is sent (`{}` when no field is given). */
  readonly sendsBody: boolean;
  /** Input fields that must be on a list of the contract, unless the caller added the value. */
  readonly listed?: Readonly<Record<string, ListName>>;
  /** The success statuses and their shapes; for preview endpoints only the statuses are known. */
  readonly responses: Readonly<Record<number, ResponseShape>>;
  /** The result of a success answer with an empty body; without it an empty body is an error. */
  readonly whenEmpty?: { readonly result: Output };
  /** What the answer means, where the shape alone does not tell. */
  readonly interpret?: (data: unknown, status: number) => Interpretation<Output>;
  /** The error statuses that the contract documents. */
  readonly errors: readonly number[];
  /** The refusals that the contract documents in words. */
  readonly businessErrors: readonly BusinessErrorCode[];
  /** Dotted paths in the answer that print redacted. */
  readonly secrets: readonly string[];
  /** Whether fields whose names say that they are secret print redacted too, wherever they stand. */
  readonly concealsNamed?: boolean;
  readonly retryResolutions?: readonly RetryResolution<Output>[];
};
