import { defineEndpoint } from '../../contract/define-endpoint.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { Schema } from '../../contract/schema.js';

type Chosen =
  | 'id'
  | 'method'
  | 'path'
  | 'retry'
  | 'retryWhen'
  | 'credentials'
  | 'routing'
  | 'input'
  | 'query'
  | 'wireNames'
  | 'wholeBodyField'
  | 'sendsBody'
  | 'secretInputs'
  | 'secrets'
  | 'response'
  | 'accept'
  | 'maxResponseBytes'
  | 'output'
  | 'errors'
  | 'businessErrors'
  | 'responses'
  | 'mediaTypes'
  | 'bodyEncoding'
  | 'headerFields'
  | 'resultWhen'
  | 'retryResolutions'
  | 'renewsToken'
  | 'reconcile';

/** What is known of an endpoint outside the contract. */
export type OwnDeclaration = Pick<Endpoint, 'id' | 'method' | 'path' | 'retry'> &
  Partial<Pick<Endpoint, Chosen>> & { readonly input: Schema };

/**
 * Declares an endpoint outside the contract, with what all of them share: nothing is known of the
 * response but what `output` says, and everything with the name of a secret prints redacted.
 */
export function ownEndpoint(declaration: OwnDeclaration): Endpoint {
  const { response = 'json', output } = declaration;
  return Object.freeze(
    defineEndpoint<unknown, unknown>({
      stability: 'preview',
      responses: {},
      concealsNamed: true,
      isOwn: true,
      // With a schema, an empty body is an error: the schema promises a result.
      ...(response === 'json' && output === undefined && { whenEmpty: { result: undefined } }),
      ...declaration,
    }),
  );
}
