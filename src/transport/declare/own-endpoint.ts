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
  const { response = 'json', output, retry, responses = {} } = declaration;
  // Such a request may move money: an empty response does not say that it did.
  const movesMoney = retry.class === 'never' && declaration.method !== 'GET';
  const provesNothing = movesMoney && responses[200]?.mayBeEmpty !== true;
  const takesEmpty = response === 'json' && output === undefined && !provesNothing;
  return Object.freeze(
    defineEndpoint<unknown, unknown>({
      stability: 'preview',
      responses: {},
      concealsNamed: true,
      isOwn: true,
      // Closed until somebody decides.
      pageAccess: 'on-request',
      // With a schema, an empty body is an error: the schema promises a result.
      ...(takesEmpty && { whenEmpty: { result: undefined } }),
      ...declaration,
    }),
  );
}
