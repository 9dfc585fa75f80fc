import { defineEndpoint } from '../../contract/define-endpoint.js';
import type { Endpoint } from '../../contract/endpoint.js';

/** What is known of an endpoint outside the contract. */
type OwnDeclaration = Pick<Endpoint, 'id' | 'method' | 'path' | 'retry' | 'input'> &
  Partial<Endpoint>;

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
