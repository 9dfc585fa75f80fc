import type { Credential, Endpoint } from '../../src/contract/endpoint.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { strictestClass } from '../../src/contract/retry-policy.js';
import { compileBlock } from '../../test/docs/compile-block.js';
import { createDocsPlatform } from '../../test/docs/docs-platform.js';
import { preparedFor } from '../client/run/prepared-platform.js';
import { type EndpointError, errorsOf } from './endpoint-errors.js';
import { readPage } from './pages.js';
import { runTag, stagePage, stagePrograms, writeStaged } from './stage.js';

type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  format?: string;
};
type Content = { 'application/json'?: { schema?: Schema; example?: unknown } };
type Parameter = {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
};
type Response = { $ref?: string; description?: string; content?: Content };
type Operation = {
  operationId: string;
  summary?: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, Response>>;
};

const document = JSON.parse(readPage('openapi.json'));

const operations = new Map<string, Operation>(
  Object.values<Record<string, Operation>>(document.paths)
    .flatMap((path) => Object.values(path))
    .map((operation) => [operation.operationId, operation]),
);

/** Follows a reference inside of the OpenAPI description. */
function resolved<T extends { $ref?: string }>(value: T): T {
  if (value.$ref === undefined) return value;
  const names = value.$ref.replace('#/', '').split('/');
  return names.reduce((part, name) => part[name], document) as T;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();

/** A cell with plain text of the contract, in which nothing is Markdown or a component. */
const plain = (text: string) => cell(text).replace(/[<>{}]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function typeOf(schema: Schema): string {
  const { type, items, enum: values, const: only, anyOf, oneOf, format } = resolved(schema);
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  const some = anyOf ?? oneOf;
  if (some !== undefined) return [...new Set(some.map(typeOf))].join(' or ');
  const own = Array.isArray(type) ? type.join(' or ') : `${type ?? 'any'}`;
  if (items !== undefined) return `array of ${typeOf(items)}`;
  return format === undefined ? own : `${own} (${format})`;
}

type Field = { name: string; type: string; isRequired: boolean; about: string };

/** The fields of a schema, and those of the objects in it, by their path. */
function fieldsOf(schema: Schema, prefix = '', depth = 0): Field[] {
  const { properties = {}, required = [], allOf, anyOf, items } = resolved(schema);
  const inner = [...(allOf ?? []), ...(anyOf ?? [])].flatMap((part) =>
    fieldsOf(part, prefix, depth),
  );
  const own = Object.entries(properties).flatMap(([name, property]): Field[] => {
    const path = `${prefix}${name}`;
    const about = property.description ?? resolved(property).description ?? '';
    const field = {
      name: path,
      type: typeOf(property),
      isRequired: required.includes(name),
      about,
    };
    return [field, ...(depth < 3 ? fieldsOf(property, `${path}.`, depth + 1) : [])];
  });
  const listed =
    items === undefined ? [] : fieldsOf(items, `${prefix.replace(/\.$/, '')}[].`, depth + 1);
  const all = [...own, ...inner, ...listed];
  return all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index);
}

function fieldTable(fields: readonly (Field & { where?: string })[]): string {
  const rows = fields.map(({ name, type, isRequired, about, where }) => {
    const place = where === undefined ? '' : ` (${where})`;
    return `| \`${name}\`${place} | ${plain(type)} | ${isRequired ? 'yes' : 'no'} | ${plain(about)} |`;
  });
  return ['| field | type | always there | meaning |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

const HEADER: Readonly<Record<Credential, string>> = {
  clientKey: '`x-client-key`',
  clientId: '`X-Client-ID`',
  secretKey: '`x-secret-key` (server only)',
  accessToken: 'bearer token of a user',
};

const RETRY: Readonly<Record<string, string>> = {
  safe: 'It only reads, so a second request does nothing.',
  idempotent: 'A second request has the same effect as the first.',
  'issues-token': 'A second request issues another short-lived token or URL.',
  never: 'It is not sent again once it may have reached the service.',
};

function facts({
  method,
  path,
  credentials,
  retry,
  retryWhen,
  routing,
  stability,
}: Endpoint): string {
  const other =
    retryWhen === undefined
      ? ''
      : ` With \`${retryWhen.field}: ${retryWhen.is}\`: \`${retryWhen.retry.class}\`.`;
  const rows = [
    ['request', `\`${method} ${path}\``],
    ['credentials', credentials.map((name) => HEADER[name]).join(', ')],
    ['retry class', `\`${retry.class}\`: ${RETRY[retry.class]}${other}`],
    ['US routing', routing === 'none' ? 'none' : `by ${routing.replaceAll('-', ' ')}`],
    ['stability', stability],
  ];
  return [
    '| fact | value |',
    '| --- | --- |',
    ...rows.map(([name, text]) => `| ${name} | ${text} |`),
  ].join('\n');
}

function errorTable(errors: readonly EndpointError[]): string {
  const rows = errors.map(({ what, code, message, outcome }) => {
    const link = `[\`${code}\`](../error-catalogue.md#${code})`;
    return `| ${what} | ${link} | ${plain(message)} | \`${outcome}\` |`;
  });
  const head = '| status | `code` | message | `outcome` |';
  return [head, '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** A value as TypeScript. */
const literal = (value: unknown) =>
  JSON.stringify(value, null, 2)
    .replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(/"((?:[^"\\]|\\[^"])*)"/g, (whole, text: string) =>
      text.includes("'") ? whole : `'${text}'`,
    );

async function programOf({ id, credentials }: Endpoint): Promise<string> {
  const { input } = await preparedFor(id, createDocsPlatform());
  const client = credentials.includes('accessToken') ? 'userClient' : 'client';
  const argument = input === undefined || Object.keys(input).length === 0 ? '' : literal(input);
  return `const result = await ${client}.${id}(${argument});\nconsole.log(result);\n`;
}

const section = (title: string, ...parts: readonly string[]) =>
  parts.some(Boolean) ? `## ${title}\n\n${parts.filter(Boolean).join('\n\n')}` : '';

function requestPart({ parameters = [], requestBody }: Operation): string {
  const named = parameters
    .map(resolved)
    .map(({ name, in: where, required, description, schema }) => ({
      name,
      where,
      type: typeOf(schema ?? {}),
      isRequired: required === true,
      about: description ?? '',
    }));
  const { schema, example } = requestBody?.content['application/json'] ?? {};
  const fields = [...named, ...(schema === undefined ? [] : fieldsOf(schema))];
  const table = fields.length === 0 ? '' : fieldTable(fields).replace('always there', 'required');
  return section('Request', table, example === undefined ? '' : json(example));
}

function responsePart({ responses }: Operation): string {
  const parts = Object.entries(responses)
    .filter(([status]) => /^2/.test(status))
    .flatMap(([status, response]) => {
      const { description = '', content } = resolved(response);
      const { schema, example } = content?.['application/json'] ?? {};
      const fields = schema === undefined ? [] : fieldsOf(schema);
      return [
        `Status ${status}. ${plain(description)}`,
        fields.length === 0 ? '' : fieldTable(fields),
        example === undefined ? '' : json(example),
      ];
    });
  return section('Response', ...parts);
}

async function stageEndpoint(endpoint: Endpoint): Promise<void> {
  const { id } = endpoint;
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`openapi.json lacks ${id}`);
  const page = `docs/reference/endpoints/${id}.md`;
  const code = await programOf(endpoint);
  const program = { code, compiled: compileBlock(code) };
  const summary = `${operation.summary ?? id}.`.replace(/\.\.$/, '.');
  const statuses = Object.keys(operation.responses)
    .map(Number)
    .filter((status) => status >= 400);
  const errors = errorTable(await errorsOf(endpoint, statuses));
  const text = [
    `# ${id}`,
    plain(summary),
    facts(endpoint),
    section('Call it', `\`\`\`ts\n${code}\`\`\``, runTag(page, 1, program)),
    requestPart(operation),
    responsePart(operation),
    section('Errors', 'As the client reports them for this call.', errors),
    '[All endpoints](../endpoints.md)',
  ].join('\n\n');
  stagePage(page, `${id}: ${summary}`, `${text}\n`, { editLink: false, outline: 2 });
  stagePrograms(page, [program]);
}

/** A row of the table of endpoints. */
export type EndpointRow = {
  id: string;
  request: string;
  credentials: readonly string[];
  routing: string;
  retry: string;
  stability: string;
};

const NAMES: Readonly<Record<Credential, string>> = {
  clientKey: 'x-client-key',
  clientId: 'X-Client-ID',
  secretKey: 'x-secret-key',
  accessToken: 'bearer token',
};

/** Writes one page for each endpoint, and the rows of the table that leads to them. */
export async function stageEndpoints(): Promise<void> {
  for (const endpoint of ENDPOINTS) await stageEndpoint(endpoint);
  const rows = ENDPOINTS.map((endpoint) => ({
    id: endpoint.id,
    request: `${endpoint.method} ${endpoint.path}`,
    credentials: endpoint.credentials.map((name) => NAMES[name]),
    routing: endpoint.routing.replaceAll('-', ' '),
    retry: strictestClass(endpoint),
    stability: endpoint.stability,
  })) satisfies EndpointRow[];
  writeStaged('endpoints.json', JSON.stringify(rows));
}
