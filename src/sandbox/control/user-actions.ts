import { valuesOf } from '../../testing/choices.js';
import type { MockPlatform, MockUser, NewUser } from '../../testing/index.js';
import { type ControlAction, onUser, textOf, USER, userOf } from './control-action.js';
import {
  complete,
  FLAG,
  fields,
  type ObjectSchema,
  problemOf,
  type Schema,
  TEXT,
  TEXT_OR_NULL,
} from './schema.js';

const COUNT: Schema = { type: 'integer', minimum: 0 };
const OBJECTS: Schema = { type: 'array', items: { type: 'object' } };

/** A decimal amount above or equal to zero. */
export const DECIMAL: Schema = {
  type: 'string',
  pattern: '^\\d{1,30}(?:\\.\\d{1,30})?$',
  description: 'a decimal string such as 25.50',
};

const NEW_WALLET: ObjectSchema = {
  type: 'object',
  properties: {
    network: {
      type: 'string',
      description: 'Such as linea, ethereum, solana or xrp. Default linea.',
    },
    currency: { type: 'string', description: 'Default xrp on xrp, and usdc elsewhere.' },
    balance: DECIMAL,
    address: { type: 'string', description: 'Deposit address. Default: a new one.' },
    addressMemo: { ...TEXT_OR_NULL, description: 'Default: a new one where memos are used.' },
    isLinked: { type: 'boolean', description: 'Whether it pays for the card.' },
  },
};

// Further fields are allowed, because the platform itself refuses a name that it does not know.
const PROPERTIES = {
  id: TEXT,
  tenant: { type: 'string', description: 'Name of the tenant. Default: the first.' },
  environment: { enum: ['global', 'us'], description: 'Default global.' },
  email: TEXT,
  password: { type: 'string', description: 'Default: the password of the demo users.' },
  phoneNumber: TEXT_OR_NULL,
  otpEnabled: { type: 'boolean', description: 'Whether a login needs a one-time code.' },
  otpRequiredStatus: { enum: valuesOf('otpRequiredStatus') },
  otpRejectedStatus: { enum: valuesOf('otpRejectedStatus') },
  loginRejectedStatus: { enum: valuesOf('loginRejectedStatus') },
  notVerifiedStatus: { enum: valuesOf('notVerifiedStatus') },
  failedLogins: COUNT,
  isDisabled: FLAG,
  phase: { ...TEXT_OR_NULL, description: 'The step of onboarding that a login returns.' },
  isLinked: { type: 'boolean', description: 'Whether the client has permission on the account.' },
  verified: { type: 'boolean', description: 'Default true.' },
  verificationState: { enum: ['UNVERIFIED', 'PENDING', 'VERIFIED', 'REJECTED'] },
  locked: {
    type: 'boolean',
    description: 'Whether the account is locked, as after five failed logins.',
  },
  faucet: { enum: ['confirmed', 'pending', 'declined'] },
  isFaucetUsed: FLAG,
  card: { enum: ['PENDING', 'ACTIVE', 'FROZEN', 'BLOCKED', 'INACTIVE'] },
  creditBalance: DECIMAL,
  hasCreditWallet: FLAG,
  wallets: { type: 'array', items: NEW_WALLET, description: 'Custodial wallets.' },
  linkedWallets: { type: 'array', items: TEXT },
  allowedRecipients: {
    type: 'array',
    items: TEXT,
    description: 'Recipients of custodial wallets, with the choice recipients=allowed-only.',
  },
  externalWallets: OBJECTS,
  transactions: { type: 'object', additionalProperties: OBJECTS },
  cardTransactions: OBJECTS,
  orders: OBJECTS,
  referral: {
    type: 'object',
    properties: { code: TEXT, cap: COUNT, used: COUNT },
    required: ['code', 'cap', 'used'],
  },
  profile: { type: 'object', additionalProperties: TEXT_OR_NULL },
  createdAt: TEXT,
} as const satisfies { readonly [Name in keyof NewUser]?: Schema };

/** The input of `users.add`. Everything has a default. */
export const NEW_USER: ObjectSchema = { type: 'object', properties: PROPERTIES };

/**
 * Adds a user from JSON.
 *
 * @throws Error that says which field is not valid, and for a user that exists
 */
export function addUser(platform: MockPlatform, given: Record<string, unknown>): MockUser {
  const problem = problemOf(NEW_USER, given);
  if (problem !== undefined) throw new Error(problem);
  // The schema has checked what matters; the platform refuses unknown names, and a user that exists.
  return platform.users.add(given);
}

const TRANSACTION = complete({
  name: TEXT,
  amount: DECIMAL,
  currency: TEXT,
  sign: { enum: ['debit', 'credit'] },
  date: TEXT,
});

/** Completes a verification at once. The clock stays where it is. */
function verify(result: 'VERIFIED' | 'REJECTED', summary: string): ControlAction {
  return {
    summary,
    input: onUser.input,
    example: { user: 'grace@example.com' },
    run(control, input) {
      control.platform.completeVerification(userOf(control, input), result);
    },
  };
}

/** Actions on users and their money. */
export const userActions: Readonly<Record<string, ControlAction>> = {
  addUser: {
    summary: 'Adds a user, and returns the login and an access token',
    input: NEW_USER,
    example: { email: 'new@example.com', card: 'ACTIVE', wallets: [{ balance: '50' }] },
    result: complete({ id: TEXT, email: TEXT, password: TEXT, accessToken: TEXT }),
    run({ platform }, input) {
      const user = addUser(platform, input);
      const { id, email, password } = user;
      return { id, email, password, accessToken: platform.accessTokenFor(user) };
    },
  },
  createAccessToken: {
    summary: 'Returns an access token for a user, as a login would',
    ...onUser,
    result: complete({ accessToken: TEXT }),
    run: (control, input) => ({
      accessToken: control.platform.accessTokenFor(userOf(control, input)),
    }),
  },
  verify: verify('VERIFIED', 'Verifies a user at once'),
  reject: verify('REJECTED', 'Rejects the verification of a user at once'),
  permit: {
    summary: 'Allows the client to use the account of a user',
    ...onUser,
    run(control, input) {
      userOf(control, input).isLinked = true;
    },
  },
  forbid: {
    summary: 'Forbids the client to use the account of a user: calls get 403',
    ...onUser,
    run(control, input) {
      userOf(control, input).isLinked = false;
    },
  },
  deposit: {
    summary: 'Deposits money into a wallet of a user',
    input: fields(
      {
        user: USER,
        wallet: { type: 'string', description: 'Id or address. Default: the credit wallet.' },
        amount: DECIMAL,
      },
      'user',
      'amount',
    ),
    example: { user: 'ada@example.com', amount: '25.50' },
    run(control, input) {
      const user = userOf(control, input);
      const wallet = textOf(input, 'wallet') || user.creditWallet.id;
      control.platform.wallets.deposit(user, wallet, textOf(input, 'amount'));
    },
  },
  addTransactions: {
    summary: 'Adds transactions to the start of the history of a wallet, newest first',
    input: fields(
      {
        user: USER,
        wallet: { type: 'string', description: 'Id. Default: the credit wallet.' },
        transactions: { type: 'array', items: TRANSACTION },
      },
      'user',
      'transactions',
    ),
    example: {
      user: 'ada@example.com',
      transactions: [
        { name: 'Coffee', amount: '3.50', currency: 'usdc', sign: 'debit', date: '2026-01-01' },
      ],
    },
    run(control, input) {
      const user = userOf(control, input);
      const wallet = textOf(input, 'wallet') || user.creditWallet.id;
      const { transactions } = input;
      // The schema has checked each field of them.
      control.platform.addTransactions(
        user,
        wallet,
        Array.isArray(transactions) ? transactions : [],
      );
    },
  },
};

/** Actions on cards and orders. */
export const cardActions: Readonly<Record<string, ControlAction>> = {
  provision: {
    summary: 'Activates a pending card at once',
    ...onUser,
    run: (control, input) => control.platform.cards.provision(userOf(control, input)),
  },
  block: {
    summary: 'Blocks the card of a user permanently',
    ...onUser,
    run: (control, input) => control.platform.cards.block(userOf(control, input)),
  },
  pay: {
    summary:
      'Pays with the card of a user; declined unless the card is active and a wallet covers the amount',
    input: fields({ user: USER, amount: DECIMAL, merchant: TEXT }, 'user', 'amount'),
    example: { user: 'ada@example.com', amount: '3.50', merchant: 'Bakery' },
    run(control, input) {
      const payment = {
        amount: textOf(input, 'amount'),
        merchant: textOf(input, 'merchant') || undefined,
      };
      control.platform.cards.pay(userOf(control, input), payment);
    },
  },
  setOrderStatus: {
    summary: 'Sets the status of an order, as the payment gateway does',
    input: complete({ orderId: TEXT, status: TEXT }),
    example: { orderId: 'the orderId of orders.create', status: 'COMPLETED' },
    run: ({ platform }, input) =>
      platform.setOrderStatus(textOf(input, 'orderId'), textOf(input, 'status')),
  },
};
