import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { requireKnownOptions, requireOneOf } from './check-options.js';
import { type Duration, toMilliseconds } from './clock.js';
import { createSession } from './credentials.js';
import { MockCollection } from './mock-collection.js';
import { add, requireAmount } from './money.js';
import { addEntry, type CardPayment, payWithCard } from './payments.js';
import { createPlatformClock, type PlatformClock } from './platform-clock.js';
import type { Simulation } from './simulation.js';
import type {
  MockCard,
  MockCardTransaction,
  MockConsentSet,
  MockOrder,
  MockState,
  MockTransaction,
  MockUser,
  MockWebhook,
} from './state.js';
import { MockTenants } from './tenants.js';
import { MockUsers } from './users.js';
import { submitVerification } from './verification.js';

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

/** A wallet by its id or its address. */
function findWallet(user: MockUser, idOrAddress: string) {
  const { creditWallet, internalWallets, externalWallets } = user;
  if (creditWallet.id === idOrAddress) return { wallet: creditWallet, currency: 'usdc' };
  const internal = internalWallets.find(({ id, address, addressId }) =>
    [id, address, addressId].includes(idOrAddress),
  );
  const wallet =
    internal ?? externalWallets.find(({ address }) => equalsIgnoringCase(address, idOrAddress));
  return wallet && { wallet, currency: wallet.currency };
}

/** Changes wallets without a request from the client. */
export class MockWallets {
  readonly #simulation: Simulation;
  readonly #users: MockUsers;

  /** @internal */
  constructor(simulation: Simulation, users: MockUsers) {
    this.#simulation = simulation;
    this.#users = users;
  }

  /**
   * Deposits an amount, a decimal string, into a wallet of a user, by the wallet's id or address.
   * An internal wallet and the credit wallet get an entry in their history.
   *
   * @throws Error for an unknown user or wallet, TypeError for an amount that is not above zero
   *
   * @example
   * ```ts
   * mock.wallets.deposit(ada, ada.creditWallet.id, '25.50');
   * ```
   */
  deposit({ id }: { id: string }, idOrAddress: string, amount: string): void {
    requireAmount(amount);
    const user = this.#users.get(id);
    const found = findWallet(user, idOrAddress);
    if (found === undefined) throw new Error(`the user has no wallet "${idOrAddress}"`);
    const { wallet, currency } = found;
    wallet.balance = add(wallet.balance, amount);
    if (wallet === user.creditWallet) user.hasCreditWallet = true;
    if (!('id' in wallet)) return;
    const date = this.#simulation.clock.iso();
    addEntry(user, wallet.id, { name: 'Deposit', amount, currency, sign: 'credit', date });
  }
}

/** Controls of a mock platform: users, clock, and events that no request causes. */
export class MockControls {
  /** The users of the platform. */
  readonly users: MockUsers;
  /** Payments, blocks and activations of cards. */
  readonly cards: MockCards;
  /** Deposits. */
  readonly wallets: MockWallets;
  /** The tenants of the platform. */
  readonly tenants: MockTenants;
  /** The orders of all users, by `orderId`. */
  readonly orders: MockCollection<MockOrder>;
  /** The webhooks of all tenants, by id. */
  readonly webhooks: MockCollection<MockWebhook>;
  /** The consent sets, by `consentSetId`. */
  readonly consentSets: MockCollection<MockConsentSet>;
  /**
   * The platform's clock, for everything that accepts a clock: a client and `createSessions`
   * (`clock`), `verifyWebhook` (`clock`), the delegation flows (`runtime`). `advance` moves it.
   * Waits of a client, between retries and polls, move it by themselves.
   */
  readonly clock: PlatformClock;
  readonly #simulation: Simulation;
  readonly #clearClock: () => void;

  /** @internal */
  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    const { clock, clear } = createPlatformClock(simulation);
    this.clock = clock;
    this.#clearClock = clear;
    this.users = new MockUsers(simulation);
    this.cards = new MockCards(simulation, this.users);
    this.wallets = new MockWallets(simulation, this.users);
    this.tenants = new MockTenants(() => simulation.state);
    this.orders = new MockCollection(
      'order',
      () => simulation.state.users.flatMap(({ orders }) => orders),
      ({ orderId }) => [orderId],
    );
    this.webhooks = new MockCollection(
      'webhook',
      () => simulation.state.webhooks,
      ({ id }) => [id],
    );
    this.consentSets = new MockCollection(
      'consent set',
      () => simulation.state.consentSets,
      ({ consentSetId }) => [consentSetId],
    );
  }

  /** @internal Drops what is scheduled on the clock. */
  protected clearClock(): void {
    this.#clearClock();
  }

  /** The complete state. Read it in assertions, or change it to prepare a test. */
  get state(): MockState {
    return this.#simulation.state;
  }

  /** The platform's time, in milliseconds since 1970. */
  get now(): number {
    return this.#simulation.clock.now();
  }

  /**
   * Calls a function after each change of the platform's time. Returns a function that removes it.
   *
   * @example
   * ```ts
   * const stop = mock.onTimeChange(() => console.log(new Date(mock.now)));
   * ```
   */
  onTimeChange(listener: () => void): () => void {
    return this.#simulation.clock.onChange(listener);
  }

  /**
   * Moves the clock forward by a duration such as `10 minutes`, or by milliseconds. Everything that
   * is due then happens, and each delivery that is due is sent again once.
   *
   * @throws TypeError for anything that is not a finite, non-negative duration
   *
   * @example
   * ```ts
   * mock.advance('6 hours'); // every session has ended
   * ```
   */
  advance(duration: Duration): void {
    this.#simulation.advance(toMilliseconds(duration));
  }

  /**
   * Returns an access token for a user, as a login would.
   *
   * @throws Error for an unknown user
   *
   * @example
   * ```ts
   * const userClient = client.withAccessToken(mock.accessTokenFor(ada));
   * await userClient.card.status();
   * ```
   */
  accessTokenFor({ id }: { id: string }): string {
    return createSession(this.#simulation, this.users.get(id));
  }

  /**
   * Returns the last one-time password sent to a user, or `undefined` when none is valid.
   *
   * @example
   * ```ts
   * const otpCode = mock.otpFor(ada);
   * await client.auth.login({ email: ada.email, password: ada.password, otpCode });
   * ```
   */
  otpFor({ id }: { id: string }): string | undefined {
    const valid = this.#simulation.state.otps.filter(
      ({ expiresAt }) => expiresAt > this.#simulation.clock.now(),
    );
    return valid.findLast(({ userId }) => userId === id)?.code;
  }

  /**
   * Completes the verification of a user at once: both events are delivered, `PENDING` and the
   * result. A verified user stays verified. To see the ten minutes in between, pass `processing:
   * 'later'`, then advance the clock.
   *
   * @throws Error for an unknown user, TypeError for another `result` or `processing`
   *
   * @example
   * ```ts
   * mock.completeVerification(ada);
   * console.log(mock.users.get(ada.id).verificationState); // VERIFIED
   * ```
   */
  completeVerification(
    { id }: { id: string },
    result: 'VERIFIED' | 'REJECTED' = 'VERIFIED',
    options: { processing?: 'at-once' | 'later' | undefined } = {},
  ): void {
    requireOneOf('result', result, ['VERIFIED', 'REJECTED']);
    requireKnownOptions('completeVerification', options, ['processing']);
    const { processing = 'at-once' } = options;
    requireOneOf('processing', processing, ['at-once', 'later']);
    submitVerification(this.#simulation, this.users.get(id), result, processing === 'at-once');
    this.#simulation.applyElapsedTime();
  }

  /**
   * Adds transactions to the start of a wallet's history, newest first.
   *
   * @throws Error for an unknown user, TypeError for an unknown field of a transaction
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
    const fields = ['name', 'amount', 'currency', 'sign', 'date'];
    for (const one of transactions) requireKnownOptions('addTransactions', one, fields);
    const user = this.users.get(id);
    user.transactions[walletId] = [...transactions, ...(user.transactions[walletId] ?? [])];
  }

  /**
   * Sets the status of an order, as the payment gateway does.
   *
   * @throws Error for an unknown order
   *
   * @example
   * ```ts
   * const { orderId } = await userClient.orders.create({
   *   productId: 'metal-card',
   *   paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY',
   * });
   * mock.setOrderStatus(orderId, 'COMPLETED');
   * ```
   */
  setOrderStatus(orderId: string, status: string): void {
    const order = this.orders.get(orderId);
    order.status = status;
    if (status === 'COMPLETED') {
      order.paidAt = this.#simulation.clock.iso().replace('T', ' ').replace('Z', '+00');
    }
  }
}
