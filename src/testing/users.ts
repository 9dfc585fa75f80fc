import type { MockClock } from './clock.js';
import { isEndpointId } from './endpoint-ids.js';
import type { Identifiers } from './identifiers.js';
import { newInternalWallet } from './internal-wallet.js';
import { requireWhole } from './numbers.js';
import type { MockCard, MockState, MockUser } from './state.js';

/** A custodial wallet that a new user has from the start. */
export type NewWallet = {
  network: 'linea' | 'ethereum' | 'solana' | 'xrp';
  currency: string;
  /** A decimal string. Default `0`. */
  balance?: string | undefined;
  /** Whether it pays for the card. Default `false`. */
  isLinked?: boolean | undefined;
};

/** What to say of a new user; everything else gets a sensible value. */
export type NewUser = Partial<Omit<MockUser, 'creditWallet' | 'card' | 'internalWallets'>> & {
  /** Whether the identity is verified. Default `true`; `verificationState` says it more finely. */
  verified?: boolean | undefined;
  /** A card in this state. Default none. */
  card?: MockCard['status'] | undefined;
  /** Custodial wallets. Default none. */
  wallets?: readonly NewWallet[] | undefined;
  /** USDC in the credit wallet, a decimal string. Default `100`. */
  creditBalance?: string | undefined;
};

/** The users of a platform. */
export class MockUsers {
  readonly #state: () => MockState;
  readonly #clock: MockClock;
  readonly #ids: Identifiers;

  constructor(state: () => MockState, clock: MockClock, ids: Identifiers) {
    this.#state = state;
    this.#clock = clock;
    this.#ids = ids;
  }

  /**
   * Adds a user, verified and without a card unless you say otherwise.
   *
   * @example
   * ```ts
   * const ada = mock.users.add({
   *   card: 'ACTIVE',
   *   wallets: [{ network: 'linea', currency: 'usdc', balance: '50', isLinked: true }],
   * });
   * console.log(ada.card?.status);
   * ```
   */
  add(user: NewUser = {}): MockUser {
    const { verified = true, card, wallets = [], creditBalance = '100', ...given } = user;
    checkCounts(given);
    const ids = this.#ids;
    const id = given.id ?? ids.uuid();
    const added: MockUser = {
      id,
      environment: 'global',
      email: `user-${this.#state().users.length + 1}@example.com`,
      password: 'correct horse battery staple',
      phoneNumber: '+15550100',
      otpEnabled: false,
      otpAnswer: 400,
      failedLogins: 0,
      isDisabled: false,
      phase: null,
      isLinked: true,
      verificationState: verified ? 'VERIFIED' : 'UNVERIFIED',
      verification: null,
      faucet: 'confirmed',
      isFaucetUsed: false,
      card: null,
      creditWallet: { id: ids.uuid(), balance: creditBalance, isWithdrawable: true },
      internalWallets: [],
      linkedWallets: [],
      externalWallets: [],
      transactions: {},
      cardTransactions: [],
      orders: [],
      referral: { code: `FRIEND${ids.digits(4)}`, cap: 10, used: 0 },
      profile: { firstName: 'Ada', lastName: 'Lovelace', countryOfResidence: 'US' },
      ...given,
    };
    if (card !== undefined) added.card = this.#newCard(card);
    for (const wallet of wallets) this.#addWallet(added, wallet);
    this.#state().users.push(added);
    return added;
  }

  /**
   * A user by id or e-mail address.
   *
   * @example
   * ```ts
   * mock.users.get('ada@example.com').isDisabled = true;
   * ```
   */
  get(idOrEmail: string): MockUser {
    const user = this.#state().users.find(
      ({ id, email }) => id === idOrEmail || email === idOrEmail,
    );
    if (user === undefined) throw new Error(`there is no user "${idOrEmail}" on this platform`);
    return user;
  }

  #addWallet(user: MockUser, { network, currency, balance, isLinked = false }: NewWallet): void {
    const added = newInternalWallet(this.#ids, network, currency, balance);
    user.internalWallets.push(added);
    if (isLinked) user.linkedWallets.push(added.addressId);
  }

  #newCard(status: MockCard['status']): MockCard {
    const now = this.#clock.now();
    return {
      id: this.#ids.uuid(),
      holderName: 'ADA LOVELACE',
      expiryDate: `${new Date(now).getUTCFullYear() + 4}/01`,
      panLast4: this.#ids.digits(4),
      pin: this.#ids.digits(4),
      status,
      type: 'VIRTUAL',
      orderedAt: this.#clock.iso(),
      // A pending card stays pending until `provision`.
      activeAt: status === 'PENDING' ? Number.MAX_SAFE_INTEGER : now,
    };
  }
}

/** With a count or a limit that is not a whole number, no limit would ever be reached. */
function checkCounts({ failedLogins, referral }: Partial<MockUser>): void {
  if (failedLogins !== undefined) requireWhole('failedLogins', failedLogins);
  if (referral === undefined) return;
  requireWhole('referral.cap', referral.cap);
  requireWhole('referral.used', referral.used);
}

/** Checks that an endpoint id exists, so that a fault for a misspelled one is not planned in vain. */
export function requireEndpointId(id: string): string {
  if (id === '*' || isEndpointId(id)) return id;
  throw new Error(`"${id}" is no endpoint id; an example is "card.freeze"`);
}
