import { randomBytes, randomUUID } from 'node:crypto';
import { request as requestOverHttp } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { type EventRelay, startEventRelay } from './event-relay.js';
import type { ForwardOptions } from './forward-options.js';

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
