import { type CardPayment, payWithCard } from './payments.js';
import type { Simulation } from './simulation.js';
import type { MockCard, MockCardTransaction } from './state.js';
import type { MockUsers } from './users.js';

/** Changes cards without a request from the client. */
export class MockCards {
  readonly #simulation: Simulation;
  readonly #users: MockUsers;

  /** @internal */
  constructor(simulation: Simulation, users: MockUsers) {
    this.#simulation = simulation;
    this.#users = users;
  }

  /**
   * Pays with a user's card. The payment is declined unless the card is active and one wallet covers
   * it: a linked wallet, then the user's own wallet, then the credit wallet. Returns the card
   * transaction, which `card.transactions` then lists, and which webhooks receive.
   *
   * @throws Error for an unknown user or one without a card, TypeError for an unknown option or an
   * amount that is not above zero
   *
   * @example
   * ```ts
   * const { status } = mock.cards.pay(ada, { amount: '3.50' });
   * console.log(status); // CONFIRMED, or DECLINED when the card is frozen
   * ```
   */
  pay({ id }: { id: string }, payment: CardPayment): MockCardTransaction {
    this.#simulation.applyElapsedTime();
    return payWithCard(this.#simulation, this.#users.get(id), this.#cardOf(id), payment);
  }

  /**
   * Blocks a user's card permanently, as after a loss. Only a new order replaces it.
   *
   * @throws Error for an unknown user or one without a card
   *
   * @example
   * ```ts
   * mock.cards.block(ada);
   * ```
   */
  block({ id }: { id: string }): void {
    this.#cardOf(id).status = 'BLOCKED';
  }

  /**
   * Activates a pending card at once.
   *
   * @throws Error for an unknown user or one without a card
   *
   * @example
   * ```ts
   * await userClient.card.order({ type: 'VIRTUAL' });
   * mock.cards.provision(ada);
   * ```
   */
  provision({ id }: { id: string }): void {
    this.#cardOf(id).activeAt = this.#simulation.clock.now();
    this.#simulation.applyElapsedTime();
  }

  #cardOf(id: string): MockCard {
    const { card } = this.#users.get(id);
    if (card === null) throw new Error('the user has no card');
    return card;
  }
}
