import { randomBytes, randomUUID } from 'node:crypto';
import { type EventRelay, startEventRelay } from './event-relay.js';
import type { ForwardOptions } from './forward-options.js';
import { postJson } from './post-json.js';

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
