import { escapeHtml, layout, table } from './html.js';

/** The parts of an OpenAPI document that the reference shows. */
type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  'x-extensible-enum'?: readonly unknown[];
  items?: Schema;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  description?: string;
};
type Media = { schema?: Schema; example?: unknown };
type Body = { $ref?: string; description?: string; content?: Readonly<Record<string, Media>> };
type Parameter = {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  description?: string;
};
type Operation = {
  operationId: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly Parameter[];
  requestBody?: Body & { required?: boolean };
  responses: Readonly<Record<string, Body>>;
};
type OpenApi = {
  tags?: readonly { name: string; description?: string }[];
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components?: Readonly<Record<string, Readonly<Record<string, object>>>>;
};
type Row = { method: string; path: string; operation: Operation };

/** Descriptions contain inline code in backticks. */
const prose = (text = '') => escapeHtml(text).replace(/`([^`]{1,200})`/g, '<code>$1</code>');

function resolve<Part extends { $ref?: string }>(document: OpenApi, part: Part): Part {
  const [, , kind = '', name = ''] = part.$ref?.split('/') ?? [];
  return (document.components?.[kind]?.[name] as Part | undefined) ?? part;
}

function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return '';
  const { $ref, items, anyOf, type = 'any' } = schema;
  if ($ref !== undefined) {
    const name = escapeHtml($ref.split('/').at(-1));
    return `<a href="#${name}">${name}</a>`;
  }
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  const values = schema.enum ?? schema['x-extensible-enum'];
  if (values !== undefined) {
    return values.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(' ');
  }
  return escapeHtml([type].flat().join(' or '));
}

const presence = (isRequired: boolean | undefined) => (isRequired ? 'required' : 'optional');

function fieldTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, field]) => [
    `<code>${escapeHtml(name)}</code>`,
    typeOf(field),
    presence(required.includes(name)),
    prose(field.description),
  ]);
  return table(['Field', 'Type', 'Presence', 'Meaning'], rows, '');
}

function parameters(document: OpenApi, { parameters: given = [] }: Operation): string {
  const rows = given.map((part) => {
    const { name, in: place, required, schema, description } = resolve(document, part);
    const meaning = prose(description);
    return [`<code>${escapeHtml(name)}</code>`, place, typeOf(schema), presence(required), meaning];
  });
  return rows.length === 0
    ? ''
    : `<h3>Parameters</h3>${table(['Name', 'In', 'Type', 'Presence', 'Meaning'], rows, '')}`;
}

const mediaOf = ({ content }: Body): Media => content?.['application/json'] ?? {};

const MAX_LINE = 72;

/** A short example stands on one line. */
function example({ example: given }: Media): string {
  if (given === undefined) return '';
  const line = JSON.stringify(given, null, 1).replace(/\n */g, ' ');
  const text = line.length <= MAX_LINE ? line : JSON.stringify(given, null, 2);
  return `<pre>${escapeHtml(text)}</pre>`;
}

function requestBody({ requestBody: body }: Operation): string {
  if (body === undefined) return '';
  const media = mediaOf(body);
  return `<h3>Body, ${presence(body.required)}: ${typeOf(media.schema)}</h3>${example(media)}`;
}

function responses(document: OpenApi, operation: Operation): string {
  const rows = Object.entries(operation.responses).map(([status, part]) => {
    const body = resolve(document, part);
    const media = mediaOf(body);
    return [
      `<code>${status}</code>`,
      prose(body.description),
      typeOf(media.schema),
      example(media),
    ];
  });
  return `<h3>Responses</h3>${table(['Status', 'Meaning', 'Body', 'Example'], rows, '')}`;
}

function credentials({ security = [] }: Operation): string {
  const names = security.flatMap((one) => Object.keys(one)).map(escapeHtml);
  return `<p>Credentials: ${names.join(', ') || 'none'}</p>`;
}

// The id stands inside, because a browser opens the details around the target of a link.
function operationDetails(document: OpenApi, { method, path, operation }: Row): string {
  const { operationId, summary, description } = operation;
  return `<details><summary><span class="verb">${escapeHtml(method)}</span><code>${escapeHtml(path)}</code><span class="muted">${prose(summary)}</span></summary>
<div class="inside" id="${escapeHtml(operationId)}"><p><code>${escapeHtml(operationId)}</code>. ${prose(description)}</p>${credentials(operation)}
${parameters(document, operation)}${requestBody(operation)}${responses(document, operation)}</div></details>`;
}

function schemaDetails([name, schema]: [string, Schema]): string {
  return `<details><summary><code>${escapeHtml(name)}</code><span class="muted">${prose(schema.description)}</span></summary>
<div class="inside" id="${escapeHtml(name)}">${schema.properties === undefined ? `<p>${typeOf(schema)}</p>` : fieldTable(schema)}</div></details>`;
}

/** Renders the endpoints and the schemas of an OpenAPI document. */
export function referencePage(document: OpenApi, nonce: string): string {
  const rows = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Row => {
      return { method: method.toUpperCase(), path, operation };
    }),
  );
  const sections = (document.tags ?? []).map(({ name, description }) => {
    const own = rows.filter(({ operation }) => operation.tags?.includes(name));
    return `<h2 id="tag-${escapeHtml(name)}">${escapeHtml(name)}</h2><p class="muted">${prose(description)}</p>
<div class="box">${own.map((row) => operationDetails(document, row)).join('\n')}</div>`;
  });
  const schemas = Object.entries(document.components?.['schemas'] ?? {}).map(schemaDetails);
  const links = (document.tags ?? []).map(
    ({ name }) => `<a href="#tag-${escapeHtml(name)}">${escapeHtml(name)}</a>`,
  );
  const body = `<p>${rows.length} endpoints of the API, from <a href="/openapi.json">openapi.json</a>.</p>
<nav>${links.join('\n')}
<a href="#tag-schemas">schemas</a></nav>
${sections.join('\n')}
<h2 id="tag-schemas">Schemas</h2><div class="box">${schemas.join('\n')}</div>`;
  return layout(body, { path: '/sandbox/reference', nonce });
}
