import type { NewUser } from '../../testing/index.js';
import { FLAG, type ObjectSchema, type Schema, TEXT, TEXT_OR_NULL } from './schema.js';

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
  otpRequiredStatus: { enum: [400, 200] },
  otpRejectedStatus: { enum: [400, 401, 200] },
  loginRejectedStatus: { enum: [400, 401, 403] },
  notVerifiedStatus: { enum: [400, 403] },
  failedLogins: COUNT,
  isDisabled: FLAG,
  phase: { ...TEXT_OR_NULL, description: 'The step of onboarding that a login returns.' },
  isLinked: { type: 'boolean', description: 'Whether the client has permission on the account.' },
  verified: { type: 'boolean', description: 'Default true.' },
  verificationState: TEXT,
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
