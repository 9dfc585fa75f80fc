import type { MockPlatform } from '../testing/index.js';
import { DEFAULT_PASSWORD } from '../testing/users.js';
import { DEMO_LOGINS } from './demo-users.js';
import type { SandboxOptions } from './options.js';

const LOOPBACK = /^(?:127\.|::1$)/;

function loginLines({ seed }: SandboxOptions): string[] {
  if (seed === 'empty')
    return ['  login        no users yet: POST /sandbox/actions/addUser adds one'];
  if (seed !== 'demo') return ['  login        the users of the seed'];
  const [first, ...others] = DEMO_LOGINS.map(([email, way]) => `${email}: ${way}`);
  return [
    `  password     ${DEFAULT_PASSWORD}`,
    `  login        ${first}`,
    ...others.map((line) => `               ${line}`),
  ];
}

/** Returns the text for the console when the sandbox has started. */
export function startupText(sandbox: {
  url: string;
  platform: MockPlatform;
  options: SandboxOptions;
}): string {
  const { url, platform, options } = sandbox;
  const { baseUrl, credentials } = platform;
  const { clientKey, clientId, secretKey } = credentials;
  const isOpen = !LOOPBACK.test(options.listen);
  return [
    `card-platform-sandbox listens on ${url}`,
    `  page         ${url}/`,
    `  base URL     ${baseUrl}`,
    `  keys         clientKey ${clientKey}, clientId ${clientId}, secretKey ${secretKey}`,
    ...loginLines(options),
    '  code         on the page after it was sent, in the column "Code sent"; for scripts',
    '               users[].otp of GET /sandbox/state',
    `  reference    ${url}/sandbox/reference`,
    `  control      ${url}/sandbox/openapi.json`,
    ...(isOpen
      ? [`  Every device that reaches ${options.listen} can use the sandbox under an allowed host.`]
      : []),
    '  Stop it with Ctrl+C. Nothing is saved.',
  ].join('\n');
}
