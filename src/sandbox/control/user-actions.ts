import { addUser } from './add-user.js';
import { type ControlAction, onUser, textOf, USER, userOf } from './control-action.js';
import { complete, fields, TEXT } from './schema.js';
import { DECIMAL, NEW_USER } from './user-schema.js';

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
