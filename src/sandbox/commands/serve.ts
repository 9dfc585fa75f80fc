import { isObject } from '../../contract/formats/is-object.js';
import {
  createMockPlatform,
  type MockPlatform,
  type MockPlatformOptions,
} from '../../testing/index.js';
import { DEFAULT_PASSWORD } from '../../testing/users.js';
import { type Command, readFileOf, UsageError } from '../command-line.js';
import { DEMO_LOGINS } from '../demo-users.js';
import { loadCertificate, readOptions, type SandboxOptions, USAGE } from '../options.js';
import { applySeed, type Seed } from '../seed.js';
import { startSandbox } from '../server.js';

function parseFile(path: string): unknown {
  const text = readFileOf('--seed', path);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--seed is not a JSON file');
  }
}

/**
 * Returns the seed of the command line, and reads its file.
 *
 * @param options - the options of the platform that gets the seed
 * @throws UsageError that says what is wrong in the file
 */
export function loadSeed(seed: string, options: MockPlatformOptions = {}): Seed {
  if (seed === 'demo' || seed === 'empty') return seed;
  const parsed = parseFile(seed);
  if (!isObject(parsed)) {
    throw new UsageError('--seed must contain an object with users, or a snapshot');
  }
  try {
    // Tried on a throwaway platform, so that a mistake in the file is reported as a usage error.
    applySeed(createMockPlatform(options), parsed, options);
  } catch (error) {
    throw new UsageError(`--seed: ${error instanceof Error ? error.message : 'is not valid'}`);
  }
  return parsed;
}

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
  const { baseUrl, credentials, state } = platform;
  // A snapshot has credentials of its own.
  const [{ clientKey, clientId, secretKey } = credentials] = state.tenants;
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

/** Starts the server and keeps it running until a signal. */
async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options === undefined) return console.log(USAGE);
  const { webhooksTo, listen, publicUrl, hosts, origins } = options;
  const { choices, observed, additions, credentials } = options;
  const platformOptions = { choices, observed, additions, credentials };
  const seed = loadSeed(options.seed, platformOptions);
  const tls = options.tls && loadCertificate(options.tls);
  const { url, platform, stop } = await startSandbox(options.port, seed, Date.now, {
    ...platformOptions,
    ...(webhooksTo !== undefined && { webhookFetch: (_url, init) => fetch(webhooksTo, init) }),
    listen,
    publicUrl,
    tls,
    access: { hosts, origins },
  });
  console.log(startupText({ url, platform, options }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => console.log('stopped')));
  }
}

/** `card-platform-sandbox serve`, which also runs when no command is named. */
export const serve: Command = { usage: USAGE, run };
