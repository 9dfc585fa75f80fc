import { randomBytes, randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  request as requestOverHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestOverTls } from 'node:https';
import { startServer, stopServer } from '../http-server.js';
import { BODY_LIMIT, readBody } from '../read-body.js';
import type { ForwardOptions } from './forward-options.js';

/** Receives the events of a sandbox, and passes each of them on. */
type EventRelay = { url: string; stop: () => Promise<void> };

const PASSED_HEADERS = ['content-type', 'x-timestamp', 'x-signature'];
const LONGEST_WAIT_MS = 30_000;

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
        signal: AbortSignal.timeout(LONGEST_WAIT_MS),
      });
      const text = await received.text();
      log(`${line}: ${received.status}`);
      response.writeHead(received.status).end(text);
    } catch {
      log(`${line}: no response`);
      response.destroy();
    }
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const port = await startServer(server, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}${path}`, stop: () => stopServer(server) };
}

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
    const options = { method: 'POST', headers, ...(ca !== undefined && { ca }) };
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
   * Registers with the sandbox. Call it repeatedly: a reset forgets the registration, and the
   * sandbox sends due events only while it handles a request.
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
