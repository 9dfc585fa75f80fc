import { randomBytes, randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  request as requestOverHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestOverTls } from 'node:https';
import { requireLoopback } from '../../testing/check-options.js';
import {
  type Command,
  parseCommandLine,
  readFileOf,
  receiverUrl,
  UsageError,
} from '../command-line.js';
import { BODY_LIMIT, readBody, startServer, stopServer } from '../http.js';

/** Options of `forward`. */
type ForwardOptions = {
  /** URL of a running sandbox. */
  from: string;
  /** PEM of the certificate authority of a sandbox with https. Default: those Node.js trusts. */
  ca?: string | undefined;
  /** Receives the events. */
  to: string;
  /** The signing key. Default: a new one. */
  secret: string | undefined;
};

const FORWARD_USAGE = `card-platform-sandbox forward: sends the events of a running sandbox to your server

  --to <url>            an http URL on this machine
  --from <url>          the sandbox (default http://127.0.0.1:4010)
  --ca-file <path>      the authority (PEM) of the certificate of a sandbox with --tls-cert
  --secret <key>        the signing key that your server expects (default: a new one, printed)
  --allow-host <host>   also send to this host; repeatable
  --help                show this text`;

/**
 * Parses the command line. Returns `undefined` for `--help`.
 *
 * @throws UsageError that says which option is invalid
 */
export function readForwardOptions(args: readonly string[]): ForwardOptions | undefined {
  const { values } = parseCommandLine({
    args,
    options: {
      to: { type: 'string' },
      from: { type: 'string' },
      'ca-file': { type: 'string' },
      secret: { type: 'string' },
      'allow-host': { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  const { from = 'http://127.0.0.1:4010', secret } = values;
  if (secret === '') throw new UsageError('--secret must be the signing key');
  try {
    requireLoopback(from.replace(/^https:/i, 'http:'));
  } catch {
    throw new UsageError('--from must be the http or https URL of a sandbox on this machine');
  }
  const ca = readAuthority(from, values['ca-file']);
  return { from, ca, to: receiverUrl(values.to, values['allow-host'] ?? []), secret };
}

function readAuthority(from: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  if (!/^https:/i.test(from)) throw new UsageError('--ca-file needs an https URL in --from');
  return readFileOf('--ca-file', path);
}

/** Receives the events of a sandbox, and passes each of them on. */
type EventRelay = { url: string; stop: () => Promise<void> };

const PASSED_HEADERS = ['content-type', 'x-timestamp', 'x-signature'];

/** Id and type of an event, whichever spelling its envelope has. */
function factsOf(body: string): { id: string; type: string } {
  const { event_id, event_type, eventId = event_id, eventType = event_type } = JSON.parse(body);
  return { id: String(eventId), type: String(eventType) };
}

/**
 * Starts a server on 127.0.0.1 that passes events on to `to` unchanged, and logs a line for each. The
 * response goes back to the sandbox, which decides whether to send the event again.
 */
async function startEventRelay(to: string, log: (line: string) => void): Promise<EventRelay> {
  // Only the sandbox learns this path.
  const path = `/${randomUUID()}`;
  const attempts = new Map<string, number>();

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST' || request.url !== path) {
      return void response.writeHead(404).end();
    }
    // The connection closes when the receiver has had its time, and when this command stops.
    const hungUp = new AbortController();
    response.once('close', () => hungUp.abort());
    const body = (await readBody(request, BODY_LIMIT)) ?? '';
    const { id, type } = factsOf(body);
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    const line = `${type} ${id}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
    const headers = PASSED_HEADERS.map((name) => [name, String(request.headers[name] ?? '')]);
    try {
      const received = await fetch(to, {
        method: 'POST',
        body,
        headers: Object.fromEntries(headers),
        redirect: 'manual',
        signal: hungUp.signal,
      });
      log(`${line}: ${received.status}`);
      // The status decides, also where the body breaks off or never ends.
      response.writeHead(received.status).flushHeaders();
      response.end(await received.text());
    } catch {
      if (!response.headersSent) log(`${line}: no response`);
      response.destroy();
    }
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const port = await startServer(server, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}${path}`, stop: () => stopServer(server) };
}

/** How long the sandbox, on this machine, may take to respond. */
const CONTROL_WAIT_MS = 5_000;

/**
 * Sends JSON, and returns the status of the response, or `undefined` without one. Over https, `ca`
 * replaces the authorities that Node.js trusts; `fetch` has no option for that.
 */
function postJson(
  url: string,
  input: unknown,
  ca: string | undefined,
): Promise<number | undefined> {
  const send = new URL(url).protocol === 'https:' ? requestOverTls : requestOverHttp;
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(CONTROL_WAIT_MS);
    const options = { method: 'POST', headers, signal, ...(ca !== undefined && { ca }) };
    const request = send(url, options, (response) => {
      response.once('error', () => resolve(undefined));
      response.once('end', () => resolve(response.statusCode));
      response.resume();
    });
    request.once('error', () => resolve(undefined));
    request.end(JSON.stringify(input));
  });
}

/** Sends the events of a running sandbox on to a server. */
export class Forwarder {
  readonly #from: string;
  readonly #ca: string | undefined;
  readonly #relay: EventRelay;
  readonly #id = randomUUID();
  readonly secret: string;

  private constructor({ from, ca, secret }: ForwardOptions, relay: EventRelay) {
    this.#ca = ca;
    this.#from = from.replace(/\/$/, '');
    this.#relay = relay;
    this.secret = secret ?? `whk_${randomBytes(24).toString('hex')}`;
  }

  /**
   * Connects to a sandbox.
   *
   * @param log - prints a line for each event
   * @throws Error when no sandbox responds
   */
  static async start(options: ForwardOptions, log: (line: string) => void): Promise<Forwarder> {
    const relay = await startEventRelay(options.to, log);
    const forwarder = new Forwarder(options, relay);
    try {
      await forwarder.connect();
    } catch (error) {
      await relay.stop();
      throw error;
    }
    return forwarder;
  }

  /**
   * Registers with the sandbox. Call it repeatedly: a reset forgets the registration, and so does a
   * sandbox that starts again.
   *
   * @throws Error when no sandbox responds
   */
  async connect(): Promise<void> {
    await this.#act('forward', { id: this.#id, to: this.#relay.url, key: this.secret });
  }

  /** Disconnects from the sandbox, if it still runs. */
  async stop(): Promise<void> {
    await this.#act('stopForwarding', { id: this.#id }).catch(() => undefined);
    await this.#relay.stop();
  }

  async #act(action: string, input: Record<string, string>): Promise<void> {
    const status = await postJson(`${this.#from}/sandbox/actions/${action}`, input, this.#ca);
    if (status !== 200) throw new Error(`no sandbox responds at ${this.#from}`);
  }
}

const CHECK_MS = 1_000;

/**
 * Registers again each second. Returns a function that stops and disconnects.
 *
 * @param log - prints when the sandbox is gone, and when it is back
 */
export function keepConnected(
  forwarder: Forwarder,
  log: (line: string) => void,
): () => Promise<void> {
  let isConnected = true;
  let isStopped = false;
  const report = (now: boolean) => {
    if (now !== isConnected && !isStopped) log(now ? 'the sandbox is back' : 'the sandbox is gone');
    isConnected = now;
  };
  const check = async () => {
    await forwarder.connect().then(
      () => report(true),
      () => report(false),
    );
    if (!isStopped) timer = checkLater();
  };
  let checking = Promise.resolve();
  const checkLater = () =>
    setTimeout(() => {
      checking = check();
    }, CHECK_MS);
  let timer = checkLater();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    // A sandbox that reads it after the end would forward to a port that is gone.
    await checking;
    await forwarder.stop();
  };
}

/** Forwards events until a signal. */
async function run(args: readonly string[]): Promise<void> {
  const options = readForwardOptions(args);
  if (options === undefined) return console.log(FORWARD_USAGE);
  const forwarder = await Forwarder.start(options, console.log).catch(() => {
    throw new UsageError(
      'no sandbox responds at --from: start one with card-platform-sandbox; over https, pass the authority of its certificate with --ca-file',
    );
  });
  console.log(`card-platform-sandbox forwards events to ${options.to}`);
  if (options.secret === undefined) console.log(`  signing key ${forwarder.secret}`);
  console.log('  Stop it with Ctrl+C.');
  const disconnect = keepConnected(forwarder, console.log);
  const stop = async () => {
    await disconnect();
    console.log('stopped');
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
}

/** `card-platform-sandbox forward` */
export const forward: Command = { usage: FORWARD_USAGE, run };
