import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** The file of the description in the installed package. */
export const DOCUMENT_FILE = resolve('card-platform-sdk/openapi.json');

/** The file that describes the observed calls. */
export const OBSERVED_FILE = resolve('card-platform-sdk/openapi-observed.json');

/** The description of the service. */
export const document = JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8'));

/** Follows a reference into the components of the description. */
export function resolved(part) {
  if (part?.$ref === undefined) return part;
  const path = part.$ref.split('/').slice(1);
  return resolved(path.reduce((whole, key) => whole[key], document));
}

/** Every operation of the description. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    id: operation.operationId,
    security: operation.security[0],
    parameters: operation.parameters.map(resolved),
    body: operation.requestBody?.content['application/json'],
    isBodyRequired: operation.requestBody?.required === true,
    responses: operation.responses,
  })),
);
