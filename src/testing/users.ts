import type { Open } from '../contract/common.js';
import { withoutUndefined } from '../contract/formats/without-undefined.js';
import {
  requireFlag,
  requireInteger,
  requireKnownOptions,
  requireOneOf,
  requireText,
} from './check-options.js';
import { valuesOf } from './choices.js';
import { copyData } from './copy-data.js';
import { MockCollection } from './mock-collection.js';
import { requireBalance } from './money.js';
import {
  type NewExternalWallet,
  newCard,
  newExternalWallet,
  newInternalWallet,
} from './new-objects.js';
import type { Simulation } from './simulation.js';
import type { MockCard, MockUser } from './state.js';
import { DEFAULT_TENANT, MockTenants } from './tenants.js';

/** A custodial wallet of a new user. */
export type NewWallet = {
  /** Default `linea`. Others may be added with the option `additions`. */
  network?: Open<'linea' | 'ethereum' | 'solana' | 'xrp'> | undefined;
  /** Default `xrp` on xrp, and `usdc` elsewhere. */
  currency?: string | undefined;
  /** Deposit address. Default: a new one of the network. */
  address?: string | undefined;
  /** Memo of the address. Default: a new one on networks that use memos, and `null` elsewhere. */
  addressMemo?: string | null | undefined;
  /** A decimal string. Default `0`. */
  balance?: string | undefined;
  /** Whether it pays for the card. Default `false`. */
  isLinked?: boolean | undefined;
};

/** Properties of a new user. Everything has a default. */
export type NewUser = Partial<
  Omit<MockUser, 'creditWallet' | 'card' | 'internalWallets' | 'externalWallets' | 'referral'>
> & {
  /** Whether the identity is verified. Default `true`. `verificationState` sets any other state. */
  verified?: boolean | undefined;
  /** Whether the account is locked, as after five failed logins. Default `false`. */
  locked?: boolean | undefined;
  /** Status of the user's card. Default: no card. */
  card?: MockCard['status'] | undefined;
  /** Custodial wallets. Default: none. */
  wallets?: readonly NewWallet[] | undefined;
  /** The user's own wallets, as after a delegation. Default: none. */
  externalWallets?: readonly NewExternalWallet[] | undefined;
  /** Default: a new code, used 0 of 10 times. */
  referral?: Partial<MockUser['referral']> | undefined;
  /**
   * USDC in the credit wallet, a decimal string. Default `100`, or `0` with `hasCreditWallet: false`.
   */
  creditBalance?: string | undefined;
};

/** The number of failed logins that locks an account. */
export const MAX_FAILED_LOGINS = 5;

/** Password of every user that is added without one. */
export const DEFAULT_PASSWORD = 'correct horse battery staple';

/** The users of a platform, by id or e-mail address. */
export class MockUsers extends MockCollection<MockUser> {
  readonly #simulation: Simulation;

  /** @internal */
  constructor(simulation: Simulation) {
    super(
      'user',
      () => simulation.state.users,
      ({ id, email }) => [id, email],
    );
    this.#simulation = simulation;
  }

  /**
   * Adds a user. By default the user is verified and has no card.
   *
   * @throws TypeError for an unknown property or value, Error for an unknown tenant, and for an id
   *   or an e-mail address that another user has
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
      creditBalance = user.hasCreditWallet === false ? '0' : '100',
      externalWallets = [],
      referral = {},
      ...others
    } = user;
    const given = withoutUndefined(others);
    checkCounts(given, referral);
    checkValues(user);
    const { state, clock, ids } = this.#simulation;
    const id = given.id ?? ids.uuid();
    const defaults: MockUser = {
      id,
      tenant: DEFAULT_TENANT,
      environment: 'global',
      email: this.#newEmail(),
      password: DEFAULT_PASSWORD,
      phoneNumber: '+15550100',
      otpEnabled: false,
      failedLogins: locked ? MAX_FAILED_LOGINS : 0,
      isDisabled: false,
      phase: null,
      isLinked: true,
      verificationState: verified ? 'VERIFIED' : 'UNVERIFIED',
      verification: null,
      faucet: 'confirmed',
      isFaucetUsed: false,
      card: null,
      creditWallet: { id: ids.uuid(), balance: creditBalance, isWithdrawable: true },
      hasCreditWallet: true,
      internalWallets: [],
      linkedWallets: [],
      allowedRecipients: [],
      externalWallets: [],
      transactions: {},
      cardTransactions: [],
      orders: [],
      referral: { code: `FRIEND${ids.digits(4)}`, cap: 10, used: 0 },
      profile: DEFAULT_PROFILE,
      createdAt: clock.iso(),
    };
    const properties = Object.keys(defaults).filter((name) => !SET_BY_OTHERS.includes(name));
    requireKnownOptions('users.add', user, [...properties, ...FURTHER_PROPERTIES]);
    const added: MockUser = {
      ...defaults,
      // A copy, because payments and orders change the lists.
      ...copyData(given),
      profile: { ...DEFAULT_PROFILE, ...given.profile },
      referral: { ...defaults.referral, ...referral },
      externalWallets: externalWallets.map((wallet) => newExternalWallet(ids, wallet)),
    };
    // A tenant that does not exist: nobody could log in as its user.
    new MockTenants(() => state).get(added.tenant);
    // Requests would find only the first of them.
    if (state.users.some((other) => other.id === added.id || isNamesake(other, added)))
      throw new Error('there is a user with this id or e-mail address already');
    if (card !== undefined) added.card = this.#newCard(added, card);
    for (const wallet of wallets) this.#addWallet(added, wallet);
    state.users.push(added);
    return added;
  }

  #newEmail(): string {
    for (let number = this.size + 1; ; number++) {
      const email = `user-${number}@example.com`;
      if (!this.has(email)) return email;
    }
  }

  #addWallet(user: MockUser, wallet: NewWallet): void {
    requireKnownOptions('wallets', wallet, WALLET_PROPERTIES);
    const { network = 'linea', isLinked = false, ...given } = wallet;
    requireBalance('wallets: balance', given.balance ?? '0');
    requireFlag('wallets: isLinked', isLinked);
    const { currency = network === 'xrp' ? 'xrp' : 'usdc' } = wallet;
    const { ids, additions } = this.#simulation;
    const format = additions.formats[network];
    const added = newInternalWallet(ids, network, currency, format, given);
    user.internalWallets.push(added);
    if (isLinked) user.linkedWallets.push(added.addressId);
  }

  #newCard(user: MockUser, status: MockCard['status']): MockCard {
    const { ids, clock } = this.#simulation;
    return newCard(ids, clock, user, {
      status,
      type: 'VIRTUAL',
      // A pending card stays pending until `cards.provision`.
      activeAt: status === 'PENDING' ? Number.MAX_SAFE_INTEGER : clock.now(),
    });
  }
}

/** The fields that live users have; nearly all may be null. */
const DEFAULT_PROFILE: MockUser['profile'] = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1990-12-10',
  phoneCountryCode: null,
  addressLine1: null,
  addressLine2: null,
  city: null,
  zip: null,
  countryOfResidence: 'US',
  countryOfNationality: null,
  usState: null,
  ssn: null,
};

/** Properties of `add` that are not of the user itself, or that a new user leaves out. */
const FURTHER_PROPERTIES = [
  'verified',
  'locked',
  'wallets',
  'creditBalance',
  'otpRequiredStatus',
  'otpRejectedStatus',
  'loginRejectedStatus',
  'notVerifiedStatus',
];

const WALLET_PROPERTIES = [
  'network',
  'currency',
  'balance',
  'isLinked',
  'address',
  'addressMemo',
] satisfies (keyof NewWallet)[];

/** Properties of a user that other properties of `add` set. */
const SET_BY_OTHERS = ['creditWallet', 'internalWallets'];

const CARD_STATUSES: readonly MockCard['status'][] = [
  'PENDING',
  'ACTIVE',
  'FROZEN',
  'BLOCKED',
  'INACTIVE',
];

/** The values of properties that have only some. */
const VALUES = {
  card: CARD_STATUSES,
  environment: ['global', 'us'],
  faucet: ['confirmed', 'pending', 'declined'],
  verificationState: ['UNVERIFIED', 'PENDING', 'VERIFIED', 'REJECTED'],
  otpRequiredStatus: valuesOf('otpRequiredStatus'),
  otpRejectedStatus: valuesOf('otpRejectedStatus'),
  loginRejectedStatus: valuesOf('loginRejectedStatus'),
  notVerifiedStatus: valuesOf('notVerifiedStatus'),
} satisfies { readonly [Name in keyof NewUser]?: readonly unknown[] };

const FLAGS = [
  'verified',
  'locked',
  'otpEnabled',
  'isDisabled',
  'isLinked',
  'isFaucetUsed',
  'hasCreditWallet',
] satisfies (keyof NewUser)[];

const TEXTS = ['id', 'email', 'password'] satisfies (keyof NewUser)[];

/** Rejects a value that no request would ever find, or that would mean something else than it says. */
function checkValues(user: NewUser): void {
  const given: Readonly<Record<string, unknown>> = withoutUndefined(user);
  const has = (name: string) => Object.hasOwn(given, name);
  for (const [name, allowed] of Object.entries(VALUES)) {
    if (has(name)) requireOneOf(name, given[name], allowed);
  }
  for (const name of FLAGS.filter(has)) requireFlag(name, given[name]);
  for (const name of TEXTS.filter(has)) requireText(name, given[name]);
  if (has('creditBalance')) requireBalance('creditBalance', given['creditBalance']);
}

/** Whether two users have the same e-mail address, at one tenant and in one environment. */
const isNamesake = (one: MockUser, other: MockUser): boolean =>
  one.email === other.email && one.tenant === other.tenant && one.environment === other.environment;

/** Rejects counts and limits that are not whole numbers, which would never reach a limit. */
function checkCounts({ failedLogins }: Partial<MockUser>, referral: object): void {
  if (failedLogins !== undefined) requireInteger('failedLogins', failedLogins);
  requireKnownOptions('referral', referral, ['code', 'cap', 'used']);
  const { cap = 0, used = 0 }: Partial<MockUser['referral']> = referral;
  requireInteger('referral.cap', cap);
  requireInteger('referral.used', used);
}
