import { randomBytes, randomUUID } from 'node:crypto';
import { type EventRelay, startEventRelay } from './event-relay.js';

/** Where events come from and go to. */
export type ForwarderOptions = {
  /** URL of a running sandbox. */
  from: string;
  /** Receives the events. */
  to: string;
  /** The signing key. Default: a new one. */
  secret: string | undefined;
  /** Prints a line. */
  log: (line: string) => void;
};

/** Sends the events of a running sandbox on to a server. */
export class Forwarder {
  readonly #from: string;
  readonly #relay: EventRelay;
  readonly #id = randomUUID();
  readonly secret: string;

  private constructor({ from, secret }: ForwarderOptions, relay: EventRelay) {
    this.#from = from.replace(/\/$/, '');
    this.#relay = relay;
    this.secret = secret ?? `whk_${randomBytes(24).toString('hex')}`;
  }

  /**
   * Connects to a sandbox.
   *
   * @throws Error when no sandbox responds
   */
  static async start(options: ForwarderOptions): Promise<Forwarder> {
    const relay = await startEventRelay(options.to, options.log);
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
   * Registers at the sandbox, again after it was reset. Each call also makes the sandbox send what is
   * due: its time passes with the requests that it gets.
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
    const response = await fetch(`${this.#from}/sandbox/actions/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
      redirect: 'manual',
    }).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.status !== 200) throw new Error(`no sandbox responds at ${this.#from}`);
  }
}
