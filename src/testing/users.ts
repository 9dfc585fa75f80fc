import type { MockClock } from './clock.js';
import { isEndpointId } from './endpoint-ids.js';
import type { Identifiers } from './identifiers.js';
import { newInternalWallet } from './internal-wallet.js';
import { newCard } from './new-card.js';
import { requireInteger } from './numbers.js';
import type { MockCard, MockState, MockUser } from './state.js';

/** A custodial wallet of a new user. */
export type NewWallet = {
  network: 'linea' | 'ethereum' | 'solana' | 'xrp';
  currency: string;
  /** A decimal string. Default `0`. */
  balance?: string | undefined;
  /** Whether it pays for the card. Default `false`. */
  isLinked?: boolean | undefined;
};

/** Properties of a new user. Everything has a default. */
export type NewUser = Partial<Omit<MockUser, 'creditWallet' | 'card' | 'internalWallets'>> & {
  /** Whether the identity is verified. Default `true`. `verificationState` sets any other state. */
  verified?: boolean | undefined;
  /** Whether the account is locked, as after five failed logins. Default `false`. */
  locked?: boolean | undefined;
  /** Status of the user's card. Default: no card. */
  card?: MockCard['status'] | undefined;
  /** Custodial wallets. Default: none. */
  wallets?: readonly NewWallet[] | undefined;
  /** USDC in the credit wallet, a decimal string. Default `100`. */
  creditBalance?: string | undefined;
};

/** The number of failed logins that locks an account. */
export const MAX_FAILED_LOGINS = 5;

/** Password of every user that is added without one. */
export const DEFAULT_PASSWORD = 'correct horse battery staple';

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
   * Adds a user. By default the user is verified and has no card.
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
    const {
      verified = true,
      locked = false,
      card,
      wallets = [],
      creditBalance = '100',
      ...given
    } = user;
    checkCounts(given);
    const ids = this.#ids;
    const id = given.id ?? ids.uuid();
    const added: MockUser = {
      id,
      environment: 'global',
      email: `user-${this.#state().users.length + 1}@example.com`,
      password: DEFAULT_PASSWORD,
      phoneNumber: '+15550100',
      otpEnabled: false,
      otpRequiredStatus: 400,
      otpRejectedStatus: 400,
      failedLogins: locked ? MAX_FAILED_LOGINS : 0,
      isDisabled: false,
      loginRejectedStatus: 400,
      phase: null,
      isLinked: true,
      verificationState: verified ? 'VERIFIED' : 'UNVERIFIED',
      notVerifiedStatus: 400,
      verification: null,
      faucet: 'confirmed',
      isFaucetUsed: false,
      card: null,
      creditWallet: { id: ids.uuid(), balance: creditBalance, isWithdrawable: true },
      hasCreditWallet: true,
      reapproval: 'refused',
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
   * Returns a user by id or e-mail address. Change the object to change the user.
   *
   * @throws Error when there is no such user
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
    return newCard(this.#ids, this.#clock, {
      holderName: 'ADA LOVELACE',
      status,
      type: 'VIRTUAL',
      // A pending card stays pending until `provisionCard`.
      activeAt: status === 'PENDING' ? Number.MAX_SAFE_INTEGER : this.#clock.now(),
    });
  }
}

/** Rejects counts and limits that are not whole numbers, which would never reach a limit. */
function checkCounts({ failedLogins, referral }: Partial<MockUser>): void {
  if (failedLogins !== undefined) requireInteger('failedLogins', failedLogins);
  if (referral === undefined) return;
  requireInteger('referral.cap', referral.cap);
  requireInteger('referral.used', referral.used);
}

/** Returns an endpoint id or `*`. Throws for any other text: its fault would never occur. */
export function requireEndpointId(id: string): string {
  if (id === '*' || isEndpointId(id)) return id;
  throw new Error(`"${id}" is not an endpoint id such as "card.freeze"`);
}
