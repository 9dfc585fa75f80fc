import type { NoInput } from './common.js';
import type { Endpoint } from './endpoint.js';
import { input } from './fields.js';
import type { ContractReconcile } from './lookup.js';
import type { RetryClass, RetryPolicy } from './retry-policy.js';
import type { Schema } from './schema.js';

type Defaulted =
  | 'credentials'
  | 'routing'
  | 'stability'
  | 'sendsBody'
  | 'errors'
  | 'businessErrors'
  | 'secrets';

type Declared<Input, Output> = Omit<Endpoint<Input, Output>, Defaulted | 'input' | Repeated> &
  Partial<Pick<Endpoint<Input, Output>, Defaulted>>;

type Repeated = 'retry' | 'retryWhen' | 'reconcile' | 'isRecorded';

type Repeatable = Exclude<RetryClass, 'never'>;

/**
 * Whether a request may be repeated. Where it must not, the declaration says how the journal finds
 * out what became of it.
 */
type Repeats<Input> =
  | {
      readonly retry: RetryPolicy<Repeatable>;
      readonly retryWhen?: undefined;
      readonly reconcile?: undefined;
    }
  | {
      readonly retry: RetryPolicy<Repeatable>;
      readonly retryWhen: NonNullable<Endpoint['retryWhen']>;
      readonly reconcile: ContractReconcile<Input>;
    }
  | {
      readonly retry: RetryPolicy<'never'>;
      readonly retryWhen?: undefined;
      readonly reconcile: ContractReconcile<Input>;
    }
  | {
      readonly retry: RetryPolicy<'never'>;
      readonly retryWhen?: undefined;
      readonly reconcile?: undefined;
      readonly isRecorded: false;
    };

/**
 * The declaration of an endpoint. `retry` must always be written, because it decides whether money
 * can move twice, and so must `pageAccess`, because it decides who can move it. A request that must
 * not be sent twice needs `reconcile`, which says how the journal finds out what became of it, or
 * `isRecorded: false`. The properties below have a default and may be left out.
 *
 * | left out | means |
 * | --- | --- |
 * | `credentials` | client key and access token |
 * | `routing` | the header `x-us-env` |
 * | `stability` | `contract` |
 * | `input` | the endpoint takes none |
 * | `sendsBody` | `false` |
 * | `errors`, `businessErrors`, `secrets` | none are documented |
 */
export type EndpointDeclaration<Input, Output> = Declared<Input, Output> &
  Repeats<Input> &
  ([Input] extends [NoInput] ? { readonly input?: undefined } : { readonly input: Schema<Input> });

/** The input of an endpoint that takes none. */
export const NO_INPUT = input({});

/** Everything that an endpoint needs, except what has a default. */
type Completed<Input, Output> = Declared<Input, Output> &
  Pick<Endpoint, Repeated> & { readonly input?: Schema<Input> | undefined };

/** Completes the declaration of an endpoint with the defaults that most endpoints share. */
// @__NO_SIDE_EFFECTS__
export function withDefaults<Input, Output>(
  declaration: Completed<Input, Output>,
): Endpoint<Input, Output> {
  return {
    credentials: ['clientKey', 'accessToken'],
    routing: 'header',
    stability: 'contract',
    sendsBody: false,
    errors: [],
    businessErrors: [],
    secrets: [],
    ...declaration,
    // The type of a declaration lets only an endpoint without input leave it out.
    input: (declaration.input ?? NO_INPUT) as Schema<Input>,
  };
}

/** Declares an endpoint of the service. */
// @__NO_SIDE_EFFECTS__
export function defineEndpoint<Input, Output>(
  declaration: EndpointDeclaration<Input, Output> & {
    readonly retry: RetryPolicy<'safe'>;
    readonly retryWhen?: undefined;
  },
): Endpoint<Input, Output, 'safe'>;
// @__NO_SIDE_EFFECTS__
export function defineEndpoint<Input, Output>(
  declaration: EndpointDeclaration<Input, Output>,
): Endpoint<Input, Output>;
// @__NO_SIDE_EFFECTS__
export function defineEndpoint<Input, Output>(
  declaration: EndpointDeclaration<Input, Output>,
): Endpoint<Input, Output> {
  // The declaration types its look by the tools that it gets. An endpoint only holds it.
  return withDefaults(declaration as Completed<Input, Output>);
}
