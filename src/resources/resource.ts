import type { Clock } from '../transport/attempts/clock.js';
import type { Send } from '../transport/send.js';

/**
 * The base of every namespace of the client.
 *
 * Its fields are private, so that nothing that prints or serialises a resource shows a credential.
 *
 * @internal
 */
export abstract class Resource {
  readonly #send: Send;
  readonly #clock: Clock;

  constructor(send: Send, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
    // Vue would wrap a resource in a proxy, through which private fields cannot be read.
    Object.defineProperty(this, '__v_skip', { value: true });
  }

  /** Sends a call to an endpoint. */
  protected get send(): Send {
    return this.#send;
  }

  /** Measures time for methods that wait. */
  protected get clock(): Clock {
    return this.#clock;
  }
}
