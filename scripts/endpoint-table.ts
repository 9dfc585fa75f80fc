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

Every endpoint of the service: its client method, the credentials that are sent (and no others), how
it takes US routing, and whether a request is retried. Generated from \`src/contract\` by
\`npm run docs:endpoints\`; a test fails when this page is not current.

Retry classes say what a second request would do. \`safe\`: nothing, it only reads. \`idempotent\`: the
same as the first. \`issues-token\`: issue another short-lived token or URL. \`never\`: it is not sent
again once it may have reached the service. The contract names \`preview\` endpoints without
describing them, so their responses are not checked.
`;

function row(endpoint: Endpoint): string {
  const { id, method, path, credentials, routing, stability, retry, retryWhen } = endpoint;
  const cells = [
    `\`${id}\``,
    `\`${method} ${path}\``,
    credentials.map((name) => HEADERS[name]).join(', '),
    ROUTING[routing],
    retryWhen === undefined
      ? retry.class
      : `${retry.class} (${retryWhen.use.class} with \`${retryWhen.field}: ${retryWhen.is}\`)`,
    stability,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The page docs/endpoints.md. */
export function endpointTable(): string {
  const heads = ['client method', 'request', 'credentials', 'US routing', 'retry', 'stability'];
  const lines = [heads, heads.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |`);
  return `${INTRODUCTION}\n${[...lines, ...ENDPOINTS.map(row)].join('\n')}\n`;
}
