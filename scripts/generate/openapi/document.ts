import type { Credential, Endpoint } from '../../../src/contract/endpoint.js';
import { errorStatusesOf } from '../../../src/contract/error-statuses.js';
import { tagOf } from '../../../src/endpoints/openapi-operations.js';
import type { DeclaredEndpoint } from '../declared-endpoints.js';
import { clientDocOf } from './client-docs.js';
import { ERROR_SCHEMAS, NamedSchemas, SharedComponents } from './components.js';
import { type Example, errorExample, recordExamples } from './examples.js';
import type { Json } from './json-schema.js';
import { describeOperation, type ErrorOf, type Operation } from './operations.js';

/** How each credential is sent. */
export const SECURITY_SCHEMES: Record<Credential, Json> = {
  clientKey: { type: 'apiKey', in: 'header', name: 'x-client-key' },
  clientId: { type: 'apiKey', in: 'header', name: 'X-Client-ID' },
  secretKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-secret-key',
    description: 'For servers only: never in a browser.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'Returned by a login; valid for 6 hours.',
  },
};

/** The tags of the operations, with the client's description of each resource. */
function tagsOf(declared: readonly DeclaredEndpoint[]): Json[] {
  const byName = new Map(
    declared.map((one) => [tagOf(one.endpoint), clientDocOf(one)?.resource ?? ''] as const),
  );
  return [...byName].map(([name, text]) => ({
    name,
    ...(text !== '' && { description: `${text}.` }),
  }));
}

type Components = Record<'parameters' | 'responses' | 'schemas', Record<string, Json>>;

/** The part of the description that is about this package. */
export type PackageFacts = { version: string; bugs: string };

/** The security schemes that the operations of a document name. */
function securitySchemesIn(paths: Json): Json {
  const operations = Object.values(paths).flatMap((path) => Object.values(path as Json));
  const used = operations.flatMap((one) =>
    ((one as Json)['security'] as Json[]).flatMap(Object.keys),
  );
  return Object.fromEntries(
    Object.entries(SECURITY_SCHEMES).filter(([name]) => used.includes(name)),
  );
}

/** Completes a document with the parts that both descriptions share. */
export function documentOf(
  { version, bugs }: PackageFacts,
  about: { title: string; description: string },
  parts: { tags: Json[]; paths: Json; components: Json },
): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version,
      description: about.description,
      contact: { name: 'card-platform-sdk', url: bugs },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: 'https://api.example.com' } } }],
    tags: parts.tags,
    paths: parts.paths,
    components: { securitySchemes: securitySchemesIn(parts.paths), ...parts.components },
  };
}

/** How the operations of a document are described beyond their declarations. */
export type Description = {
  /** The error statuses of an endpoint, without those that refuse a credential. */
  statusesOf(endpoint: Endpoint): readonly number[];
  errorOf: ErrorOf;
  examples: ReadonlyMap<string, Example>;
  /** Returns two calls with one path and method as one operation. */
  merge?(one: Operation, other: Operation, endpoint: Endpoint): Operation;
};

/** The paths of endpoints, and the components and tags that their operations name. */
export function describedPaths(
  declared: readonly DeclaredEndpoint[],
  { statusesOf, errorOf, examples, merge }: Description,
): { tags: Json[]; paths: Record<string, Record<string, Json>>; components: Components } {
  const parts = {
    schemas: new NamedSchemas(),
    parameters: new SharedComponents('parameters'),
    responses: new SharedComponents('responses'),
  };
  const paths: Record<string, Record<string, Json>> = {};
  for (const one of declared) {
    const { endpoint } = one;
    const { path, id } = endpoint;
    const method = endpoint.method.toLowerCase();
    const operation = describeOperation(
      one,
      statusesOf(endpoint),
      examples.get(id),
      parts,
      errorOf,
    );
    const methods = paths[path] ?? {};
    const known = methods[method];
    if (known !== undefined && merge === undefined) throw new Error(`${id}: ${path} is taken`);
    methods[method] =
      known === undefined ? operation : (merge?.(known as Operation, operation, endpoint) ?? {});
    paths[path] = methods;
  }
  parts.parameters.share();
  parts.responses.share();
  const components = {
    parameters: parts.parameters.byName,
    responses: parts.responses.byName,
    schemas: parts.schemas.byName,
  };
  return { tags: tagsOf(declared), paths, components };
}

/** The OpenAPI 3.1 description of the service, from the contract as data. */
export async function openApi(
  declared: readonly DeclaredEndpoint[],
  facts: PackageFacts,
): Promise<Json> {
  const { tags, paths, components } = describedPaths(declared, {
    statusesOf: errorStatusesOf,
    errorOf: (endpoint, status) => ({
      example: errorExample(endpoint.id, status),
      group: tagOf(endpoint),
    }),
    examples: await recordExamples(declared.map(({ endpoint }) => endpoint)),
  });
  const about = {
    title: 'Card platform',
    description:
      'The partner API of the card-and-wallet platform, as card-platform-sdk declares it.',
  };
  const schemas = { ...ERROR_SCHEMAS, ...components.schemas };
  return documentOf(facts, about, { tags, paths, components: { ...components, schemas } });
}
