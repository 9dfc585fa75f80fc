import { complete, FLAG, type Schema, TEXT, TEXT_OR_NULL } from './schema.js';

const COUNT_OR_NULL: Schema = { anyOf: [{ type: 'integer' }, { type: 'null' }] };
const listOf = (items: Schema): Schema => ({ type: 'array', items });

const USER = complete({
  id: TEXT,
  tenant: TEXT,
  isLinked: FLAG,
  email: TEXT,
  verificationState: TEXT,
  isDisabled: FLAG,
  isLocked: FLAG,
  environment: { enum: ['global', 'us'] },
  otp: { ...TEXT_OR_NULL, description: 'The one-time code that was sent, while it is valid.' },
  card: {
    anyOf: [complete({ status: TEXT, panLast4: TEXT, holderName: TEXT }), { type: 'null' }],
  },
  creditWallet: complete({ id: TEXT, balance: TEXT, isWithdrawable: FLAG }),
  internalWallets: listOf(
    complete({ network: TEXT, currency: TEXT, balance: TEXT, addressId: TEXT, isLinked: FLAG }),
  ),
  externalWallets: listOf(
    complete({ address: TEXT, currency: TEXT, balance: TEXT, allowance: TEXT, network: TEXT }),
  ),
  orders: listOf({ type: 'object' }),
});

/** The schema of `publicState`. */
export const STATE: Schema = complete({
  now: { type: 'string', description: "The platform's time, in ISO 8601." },
  clockAhead: {
    type: 'number',
    description: 'Milliseconds by which the time of the platform is ahead of real time.',
  },
  baseUrl: TEXT,
  choices: { type: 'object' },
  tenants: listOf(TEXT),
  users: listOf(USER),
  messages: listOf(
    complete({
      channel: { enum: ['email', 'phone'] },
      to: TEXT,
      purpose: TEXT,
      code: { type: 'string', description: 'Six digits.' },
      sentAt: TEXT,
    }),
  ),
  deliveries: listOf(
    complete({
      eventId: TEXT,
      eventType: TEXT,
      url: TEXT,
      attemptNumber: { type: 'integer' },
      status: COUNT_OR_NULL,
      deliveryStatus: TEXT,
    }),
  ),
  requests: listOf(
    complete({
      operation: { ...TEXT_OR_NULL, description: 'Id of the endpoint.' },
      method: TEXT,
      path: TEXT,
      status: {
        ...COUNT_OR_NULL,
        description: 'null while there is no response, and when the connection broke.',
      },
    }),
  ),
});

/** The schema of a snapshot: its state is plain data that only this version reads. */
export const SNAPSHOT: Schema = complete({
  state: { type: 'object' },
  now: { type: 'number' },
  ids: { type: 'integer' },
});
