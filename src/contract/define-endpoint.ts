import type { NoInput } from './common.js';
import type { Endpoint } from './endpoint.js';
import { input } from './fields.js';
import type { RetryPolicy } from './retry-policy.js';
import type { Schema } from './schema.js';

type Defaulted =
  | 'credentials'
  | 'routing'
  | 'stability'
  | 'sendsBody'
  | 'errors'
  | 'businessErrors'
  | 'secrets';

type Declared<Input, Output> = Omit<Endpoint<Input, Output>, Defaulted | 'input'> &
  Partial<Pick<Endpoint<Input, Output>, Defaulted>>;

/**
 * The declaration of an endpoint. `retry` must always be written, because it decides whether money
 * can move twice, and so must `pageAccess`, because it decides who can move it. The properties below
 * have a default and may be left out.
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
  ([Input] extends [NoInput] ? { readonly input?: undefined } : { readonly input: Schema<Input> });

/** The input of an endpoint that takes none. */
export const NO_INPUT = input({});

/** Completes the declaration of an endpoint with the defaults that most endpoints share. */
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
