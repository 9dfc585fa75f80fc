import { defineEndpoint } from '../../contract/define-endpoint.js';
import type { Endpoint } from '../../contract/endpoint.js';

/** What is known about an endpoint outside the contract. */
type OwnDeclaration = Pick<Endpoint, 'id' | 'method' | 'path' | 'retry' | 'input'> &
  Partial<Endpoint>;

/**
 * Declares an endpoint outside the contract, with what all of them share: nothing is known about
 * the response except what `output` says, and fields with the name of a secret print redacted.
 */
export function ownEndpoint(declaration: OwnDeclaration): Endpoint {
  const { response = 'json', output } = declaration;
  return Object.freeze(
    defineEndpoint<unknown, unknown>({
      stability: 'preview',
      responses: {},
      concealsNamed: true,
      isOwn: true,
      // Closed until somebody decides.
      pageAccess: 'on-request',
      // With a schema, an empty body is an error: the schema promises a result.
      ...(response === 'json' && output === undefined && { whenEmpty: { result: undefined } }),
      ...declaration,
    }),
  );
}
