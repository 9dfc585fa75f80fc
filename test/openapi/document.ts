import { readFileSync } from 'node:fs';

/** A part of the document, or a reference to one. */
export type Part = {
  $ref?: string;
  type?: string | string[];
  required?: string[];
  properties?: Record<string, Part>;
  items?: Part;
  additionalProperties?: Part | boolean;
  anyOf?: Part[];
  enum?: unknown[];
  pattern?: string;
  format?: string;
  default?: unknown;
};

export type Media = { schema: Part; example?: unknown };

export type Parameter = Part & {
  name: string;
  in: string;
  required?: boolean;
  schema: Part;
  example?: unknown;
};

/** One operation of openapi.json. */
export type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, unknown>[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  parameters: Parameter[];
  responses: Record<string, Part & { content: Record<string, Media> }>;
  'x-preview'?: true;
};

/** openapi.json. */
export const document = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
);

/** Every operation with its method and path. */
export const OPERATIONS: [string, string, Operation][] = Object.entries(
  document.paths as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
    method.toUpperCase(),
    path,
    operation,
  ]),
);

/** Returns the operation of an endpoint. */
export function operationOf(id: string): Operation {
  const found = OPERATIONS.find(([, , { operationId }]) => operationId === id);
  if (found === undefined) throw new Error(`openapi.json has no operation ${id}`);
  return found[2];
}

/** Follows a reference into the components of the document. */
export function resolved<Given extends Part>(part: Given): Given {
  const path = part.$ref?.split('/').slice(1) ?? [];
  return path.length === 0 ? part : path.reduce((whole, key) => whole[key], document);
}

/** Returns the schema of the body that an operation takes. */
export function bodyOf({ requestBody }: Operation): Part | undefined {
  const media = requestBody?.content['application/json'];
  return media === undefined ? undefined : resolved(media.schema);
}
