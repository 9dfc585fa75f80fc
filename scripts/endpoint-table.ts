import type { Endpoint } from '../src/contract/endpoint.js';
import { ENDPOINTS } from '../src/contract/endpoints.js';

const HEADERS = {
  clientKey: '`x-client-key`',
  clientId: '`X-Client-ID`',
  secretKey: '`x-secret-key`',
  accessToken: 'bearer token',
} as const;

const ROUTING = {
  header: 'header',
  'header-or-query': 'header or query',
  none: 'none',
} as const;

const INTRODUCTION = `# Endpoints

Every endpoint of the service, its client method, the credentials that are sent (and no others), how
US routing is expressed, and how often a request may be repeated. Generated from \`src/contract\` by
\`npm run docs:endpoints\`; a test fails when this page is not current.

Repeat classes: **R** a pure read; **S** the effect is the same when repeated; **M** mints another
short-lived credential; **N** never again once it may have reached the service. \`preview\` endpoints
are named in the contract without shapes (or were only seen): their answers are not checked.
`;

function row(endpoint: Endpoint): string {
  const { id, method, path, credentials, routing, stability, repeat, repeatWhen } = endpoint;
  const cells = [
    `\`${id}\``,
    `\`${method} ${path}\``,
    credentials.map((name) => HEADERS[name]).join(', '),
    ROUTING[routing],
    repeatWhen === undefined
      ? repeat.class
      : `${repeat.class} (${repeatWhen.use.class} with \`${repeatWhen.field}: ${repeatWhen.is}\`)`,
    stability,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The page docs/endpoints.md. */
export function endpointTable(): string {
  const heads = ['client method', 'request', 'credentials', 'US routing', 'repeat', 'stability'];
  const lines = [heads, heads.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |`);
  return `${INTRODUCTION}\n${[...lines, ...ENDPOINTS.map(row)].join('\n')}\n`;
}
