import type { MockClock } from './clock.js';
import { ENDPOINT_IDS } from './endpoint-ids.js';
import type { Identifiers } from './identifiers.js';
import type { MockState, MockUser } from './state.js';

/** What to say of a new user; everything else gets a sensible value. */
export type NewUser = Partial<Omit<MockUser, 'creditWallet' | 'card'>> & {
  /** `true` gives an active card at once. */
  hasCard?: boolean | undefined;
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

  /** Adds a user, verified and without a card unless you say otherwise. */
  add(user: NewUser = {}): MockUser {
    const { hasCard = false, creditBalance = '100', ...given } = user;
    const ids = this.#ids;
    const id = given.id ?? ids.uuid();
    const added: MockUser = {
      id,
      email: `user-${this.#state().users.length + 1}@example.com`,
      password: 'correct horse battery staple',
      phoneNumber: '+15550100',
      otpEnabled: false,
      otpAnswer: 400,
      failedLogins: 0,
      isDisabled: false,
      phase: null,
      isLinked: true,
      verificationState: 'VERIFIED',
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
    if (hasCard) added.card = this.#activeCard();
    this.#state().users.push(added);
    return added;
  }

  /** A user by id or e-mail address. */
  get(idOrEmail: string): MockUser {
    const user = this.#state().users.find(
      ({ id, email }) => id === idOrEmail || email === idOrEmail,
    );
    if (user === undefined) throw new Error(`there is no user "${idOrEmail}" on this platform`);
    return user;
  }

  #activeCard() {
    const now = this.#clock.now();
    return {
      id: this.#ids.uuid(),
      holderName: 'ADA LOVELACE',
      expiryDate: `${new Date(now).getUTCFullYear() + 4}/01`,
      panLast4: this.#ids.digits(4),
      pin: this.#ids.digits(4),
      status: 'ACTIVE' as const,
      type: 'VIRTUAL',
      orderedAt: this.#clock.iso(),
      activeAt: now,
    };
  }
}

/** Checks that an endpoint id exists, so that a fault for a misspelled one is not planned in vain. */
export function requireEndpointId(id: string): string {
  if (id === '*' || ENDPOINT_IDS.includes(id)) return id;
  throw new Error(`"${id}" is no endpoint id; an example is "card.freeze"`);
}
