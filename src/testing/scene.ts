import { ACCESS_TOKEN_LIFETIME_MS } from '../contract/auth.js';
import { type Duration, toMilliseconds } from './clock.js';
import type { MockState, MockTransaction } from './state.js';
import { MockUsers } from './users.js';
import { submitVerification } from './verification.js';
import type { World } from './world.js';

/** The part of a platform that sets a scene: its users, its time, and what happens by itself. */
export class MockScene {
  /** Its users. */
  readonly users: MockUsers;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    this.users = new MockUsers(() => world.state, world.clock, world.ids);
  }

  /** Everything that it remembers: read it, or change it to set a scene. */
  get state(): MockState {
    return this.#world.state;
  }

  /** Its time, in milliseconds since 1970. */
  get now(): number {
    return this.#world.clock.now();
  }

  /**
   * Moves its time on: `advance('10 minutes')`, or milliseconds.
   *
   * @throws TypeError for anything that is not a finite duration from zero up
   *
   * @example
   * ```ts
   * mock.advance('6 hours'); // every session has ended
   * ```
   */
  advance(duration: Duration): void {
    this.#world.clock.advance(toMilliseconds(duration));
    this.#world.settle();
  }

  /**
   * An access token for a user, as a login would give it.
   *
   * @example
   * ```ts
   * const client = platform.withAccessToken(mock.accessTokenFor(ada));
   * await client.card.status();
   * ```
   */
  accessTokenFor({ id }: { id: string }): string {
    const accessToken = `access_${this.#world.ids.hex(40)}`;
    const expiresAt = this.#world.clock.now() + ACCESS_TOKEN_LIFETIME_MS;
    this.#world.state.sessions.push({ accessToken, userId: this.users.get(id).id, expiresAt });
    return accessToken;
  }

  /**
   * The one-time password that was sent to a user last; `undefined` when none is valid.
   *
   * @example
   * ```ts
   * const otpCode = mock.otpFor(ada);
   * await platform.auth.login({ email: ada.email, password: ada.password, otpCode });
   * ```
   */
  otpFor({ id }: { id: string }): string | undefined {
    const valid = this.#world.state.otps.filter(
      ({ expiresAt }) => expiresAt > this.#world.clock.now(),
    );
    return valid.findLast(({ userId }) => userId === id)?.code;
  }

  /**
   * The user completes the provider's session: the verification is `PENDING`, and has its result
   * after ten minutes of the platform's time.
   *
   * @example
   * ```ts
   * mock.verify(ada);
   * mock.advance('10 minutes');
   * ```
   */
  verify({ id }: { id: string }, result: 'VERIFIED' | 'REJECTED' = 'VERIFIED'): void {
    submitVerification(this.users.get(id), this.#world.clock, result);
  }

  /**
   * Ends the provisioning of a card at once.
   *
   * @example
   * ```ts
   * await user.card.order({ type: 'VIRTUAL' });
   * mock.provision(ada);
   * ```
   */
  provision({ id }: { id: string }): void {
    const { card } = this.users.get(id);
    if (card === null) throw new Error('this user has ordered no card');
    card.activeAt = this.#world.clock.now();
    this.#world.settle();
  }

  /**
   * Adds transactions to a wallet, newest first.
   *
   * @example
   * ```ts
   * mock.addTransactions(ada, ada.creditWallet.id, [
   *   { name: 'Coffee', amount: '3.50', currency: 'usdc', sign: 'debit', date: '2026-01-01' },
   * ]);
   * ```
   */
  addTransactions(
    { id }: { id: string },
    walletId: string,
    transactions: readonly MockTransaction[],
  ): void {
    const user = this.users.get(id);
    user.transactions[walletId] = [...transactions, ...(user.transactions[walletId] ?? [])];
  }

  /**
   * Sets the status of an order, as the payment gateway does.
   *
   * @example
   * ```ts
   * const { orderId } = await user.orders.create({
   *   productId: 'product-1',
   *   paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY',
   * });
   * mock.settleOrder(orderId, 'COMPLETED');
   * ```
   */
  settleOrder(orderId: string, status: string): void {
    const order = this.#world.state.users
      .flatMap(({ orders }) => orders)
      .find((o) => o.orderId === orderId);
    if (order === undefined) throw new Error(`there is no order "${orderId}" on this platform`);
    order.status = status;
    if (status === 'COMPLETED')
      order.paidAt = this.#world.clock.iso().replace('T', ' ').replace('Z', '+00');
  }
}
