import { requireKnownOptions, requireLoopback } from './check-options.js';
import type { DeliveryOptions, MockEvent } from './deliveries.js';
import { type FaultParts, MockFaultControls } from './fault-controls.js';
import type { Simulation } from './simulation.js';
import type { MockDelivery } from './state.js';
import { signWebhook } from './webhook-signature.js';

/** Webhook deliveries of a mock platform. */
export class MockDeliveryControls extends MockFaultControls {
  readonly #simulation: Simulation;

  /** @internal */
  constructor(simulation: Simulation, parts: FaultParts) {
    super(simulation, parts);
    this.#simulation = simulation;
  }

  /**
   * Delivers an event to every active webhook that subscribes to it, signed with the webhook's key.
   * Returns the deliveries, which you pass to your handler. `webhookFetch` sends them. With `to`,
   * they go to an http URL on this machine instead, signed at the real time. Each delivery is in
   * the log of its webhook. You need not call this for the events of the contract, which are
   * delivered when the state changes.
   *
   * @throws Error for a `to` that is not an http URL on this machine, TypeError for an unknown
   * option
   *
   * @example
   * ```ts
   * const [delivery] = await mock.deliver({ type: 'card.activated', data: { userId: ada.id } });
   * console.log(delivery?.headers, delivery?.body);
   * ```
   */
  async deliver(event: MockEvent, options: DeliveryOptions = {}): Promise<MockDelivery[]> {
    requireKnownOptions('deliver', event, ['type', 'data', 'changes', 'tenant']);
    requireKnownOptions('deliver', options, ['to']);
    const to = options.to === undefined ? undefined : requireLoopback(options.to);
    const deliveries = this.#simulation.deliveries.emit(event, to);
    await this.deliveriesSettled();
    return deliveries;
  }

  /** Every attempt to deliver an event to a webhook, oldest first. */
  get deliveries(): readonly MockDelivery[] {
    return this.#simulation.state.deliveries;
  }

  /**
   * Waits until every delivery that was started has its result.
   *
   * @example
   * ```ts
   * mock.advance('3 seconds'); // the card is activated
   * await mock.deliveriesSettled();
   * console.log(mock.deliveries.at(-1)?.status);
   * ```
   */
  async deliveriesSettled(): Promise<void> {
    await this.#simulation.deliveries.settled();
  }

  /**
   * Returns the body and the headers of a delivery, signed with a webhook's key at the platform's time.
   *
   * @example
   * ```ts
   * const { body, headers } = await mock.signWebhook('whk_test', { type: 'card.activated' });
   * console.log(body, headers);
   * ```
   */
  async signWebhook(
    key: string,
    payload: unknown,
  ): Promise<{ body: string; headers: Record<string, string> }> {
    return signWebhook(key, payload, this.#simulation.clock.now());
  }
}
