import { isIP, isIPv4 } from 'node:net';
import { createSecureContext } from 'node:tls';
import { isObject } from '../contract/formats/is-object.js';
import { parseWebUrl } from '../contract/formats/url.js';
import { requireKnownOptions, requireLoopback } from '../testing/check-options.js';
import { CHOICE_NAMES, readChoice } from '../testing/choices.js';
import type { MockChoices, MockCredentials } from '../testing/index.js';
import { CREDENTIAL_NAMES } from '../testing/tenants.js';
import { parseOrigin } from './access.js';
import { parseCommandLine, readFileOf, readHost, readPort, UsageError } from './command-line.js';

/** The files with the certificate of an https server and its private key. */
type CertificateFiles = { certFile: string; keyFile: string };

/** Options of the command line. */
export type SandboxOptions = {
  port: number;
  /** Address to listen on. */
  listen: string;
  /** Where clients reach the sandbox, if not at its own address. */
  publicUrl: string | undefined;
  tls: CertificateFiles | undefined;
  hosts: string[];
  origins: string[];
  /** `demo`, `empty` or the path of a JSON file. */
  seed: string;
  choices: Partial<MockChoices>;
  /** Whether the calls beyond the contract are served. */
  observed: boolean;
  /** Networks, currencies and payment methods beyond the contract's lists. */
  additions: string[];
  /** Credentials in place of those of the mock platform. */
  credentials: Partial<MockCredentials>;
  /** Where the deliveries of webhooks are sent, on this machine. */
  webhooksTo: string | undefined;
};

const CHOICE_LINES = CHOICE_NAMES.map((name, index) => {
  const isFirst = index % 3 === 0;
  const isLast = index === CHOICE_NAMES.length - 1;
  return `${isFirst ? `${index > 0 ? '\n' : ''}${' '.repeat(24)}` : ' '}${name}${isLast ? '' : ','}`;
}).join('');

export const USAGE = `card-platform-sandbox [serve]: an in-memory platform on 127.0.0.1

  serve                 start the in-memory platform, with the options below
  trigger               send a signed event to your server
  forward               send the events of a running sandbox to your server
  record                pass calls on to a real service, and write them as fixtures without secrets

  Each command has its own --help.

  --port <number>       port to listen on; 0 picks a free one (default 4010)
  --seed <demo|empty|file.json>
                        start with demo users, without users, or with the users or the snapshot
                        of a JSON file (default demo)
  --choose <name=value> set what the contract leaves open, such as otpRequiredStatus=200; repeatable:
${CHOICE_LINES}
  --observed            also serve the calls that deployed clients make beyond the contract, such
                        as OAuth, registration, rewards and statements
  --add <name>          accept a network, a currency or a payment method beyond the contract's lists,
                        such as base or eurc; repeatable
  --credentials <name=value|file.json>
                        accept your app's clientKey, clientId or secretKey in place of the mock's;
                        repeatable, or all of them in a JSON file
  --webhooks-to <url>   send the deliveries of webhooks to this http URL on this machine
  --tls-cert <path>     serve https with this certificate (PEM), from mkcert for example
  --tls-key <path>      its private key (PEM)
  --public-url <url>    where clients reach the sandbox, such as https://my-tunnel.example: the
                        URLs in responses start with it
  --allow-host <host>   also accept requests for this host name or address, such as 10.0.2.2;
                        repeatable
  --allow-origin <origin>
                        also accept pages of this origin, such as capacitor://localhost; repeatable
  --listen <address>    address to listen on (default 127.0.0.1). With 0.0.0.0 every device in the
                        network can use the sandbox. With an IPv6 address other than :: and ::1,
                        clients need --public-url
  --help                show this text`;

/**
 * Parses the command line. Returns `undefined` for `--help`.
 *
 * @throws UsageError that says which option is invalid
 */
export function readOptions(args: readonly string[]): SandboxOptions | undefined {
  const { values } = parseCommandLine({ args, options: OPTIONS });
  if (values.help) return undefined;
  const { port = '4010', seed = 'demo', listen = '127.0.0.1' } = values;
  if (seed !== 'demo' && seed !== 'empty' && !seed.endsWith('.json')) {
    throw new UsageError('--seed must be demo, empty or the path of a .json file');
  }
  const publicUrl = readPublicUrl(values['public-url']);
  checkListen(listen, publicUrl);
  return {
    port: readPort(port),
    listen,
    publicUrl,
    tls: readTls(values['tls-cert'], values['tls-key']),
    hosts: (values['allow-host'] ?? []).map(readHost),
    origins: (values['allow-origin'] ?? []).map(readOrigin),
    seed,
    choices: readChoices(values.choose ?? []),
    observed: values.observed ?? false,
    additions: (values.add ?? []).map(readAddition),
    credentials: readCredentials(values.credentials ?? []),
    webhooksTo: readReceiver(values['webhooks-to']),
  };
}

function checkListen(listen: string, publicUrl: string | undefined): void {
  // With a zone, as in fe80::1%eth0, an address cannot be part of the URL of the sandbox.
  if (isIP(listen) === 0 || listen.includes('%')) {
    throw new UsageError('--listen must be an IP address of this machine, such as 0.0.0.0');
  }
  const isBaseUrl = isIPv4(listen) || listen === '::' || listen === '::1';
  if (isBaseUrl || publicUrl !== undefined) return;
  throw new UsageError('--listen with an IPv6 address other than :: and ::1 needs --public-url');
}

function readOrigin(text: string): string {
  const origin = parseOrigin(text);
  if (origin !== undefined) return origin;
  throw new UsageError('--allow-origin must be an origin such as http://shop.test:5173');
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const origin = parseOrigin(text.replace(/\/$/, ''));
  if (origin !== undefined && parseWebUrl(origin) !== undefined) return origin;
  throw new UsageError(
    '--public-url must be an http or https URL without a path; an IPv6 address must be [::1]',
  );
}

function readTls(
  certFile: string | undefined,
  keyFile: string | undefined,
): CertificateFiles | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  throw new UsageError('--tls-cert and --tls-key must be passed together');
}

function readChoices(given: readonly string[]): Partial<MockChoices> {
  try {
    return Object.assign({}, ...given.map((text) => readChoice(...splitChoice(text))));
  } catch (error) {
    throw new UsageError(`--choose: ${error instanceof Error ? error.message : 'is not valid'}`);
  }
}

function splitChoice(text: string): [name: string, value: string] {
  const [name = '', ...value] = text.split('=');
  return [name, value.join('=')];
}

function readAddition(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(text)) return text;
  throw new UsageError('--add must be the name of a network, a currency or a payment method');
}

/** A credential that a header can carry. */
const CREDENTIAL = /^[\x21-\x7e]{1,1000}$/;

function readCredentials(given: readonly string[]): Partial<MockCredentials> {
  const credentials: Record<string, unknown> = Object.assign({}, ...given.map(readCredential));
  try {
    requireKnownOptions('--credentials', credentials, CREDENTIAL_NAMES);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : '--credentials is not valid');
  }
  for (const [name, value] of Object.entries(credentials)) {
    if (typeof value === 'string' && CREDENTIAL.test(value)) continue;
    throw new UsageError(`--credentials: ${name} must be visible ASCII characters without blanks`);
  }
  return credentials;
}

function readCredential(text: string): unknown {
  const [, name = '', value = ''] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? [];
  if (name !== '') return { [name]: value };
  if (!text.endsWith('.json')) {
    throw new UsageError('--credentials must be clientKey=..., or the path of a .json file');
  }
  const contents = readFileOf('--credentials', text);
  try {
    const parsed: unknown = JSON.parse(contents);
    if (isObject(parsed)) return parsed;
  } catch {
    // Reported below, because the message of a parser quotes its input.
  }
  throw new UsageError('--credentials is not a JSON file with an object');
}

function readReceiver(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : requireLoopback(url);
  } catch {
    throw new UsageError('--webhooks-to must be an http URL on this machine');
  }
}

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'string', multiple: true } as const;
const FLAG = { type: 'boolean' } as const;

const OPTIONS = {
  port: TEXT,
  seed: TEXT,
  choose: TEXTS,
  observed: FLAG,
  add: TEXTS,
  credentials: TEXTS,
  'webhooks-to': TEXT,
  'tls-cert': TEXT,
  'tls-key': TEXT,
  'public-url': TEXT,
  'allow-host': TEXTS,
  'allow-origin': TEXTS,
  listen: TEXT,
  help: FLAG,
};

/** PEM of the certificate of an https server, and of its private key. */
export type Certificate = { cert: string; key: string };

/**
 * Reads a certificate and its private key.
 *
 * @throws UsageError for files that cannot be read, or that contain something else
 */
export function loadCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  const cert = readFileOf('--tls-cert', certFile);
  const key = readFileOf('--tls-key', keyFile);
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new UsageError('--tls-cert and --tls-key must be PEM files that belong together');
  }
  return { cert, key };
}
