import type { ChainConfig } from '../contract/delegation.js';
import type { MockChoices } from './choices.js';
import type { MockObservedState } from './observed/state.js';

/** A card in the state of the mock platform. */
export type MockCard = {
  id: string;
  holderName: string;
  /** `YYYY/MM`. */
  expiryDate: string;
  panLast4: string;
  /** 4 digits. No JSON response contains it; only the single-use image shows it. */
  pin: string;
  status: 'PENDING' | 'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'INACTIVE';
  type: string;
  /** ISO 8601. */
  orderedAt: string;
  cardAddedToDigitalWallet: boolean;
  /** When provisioning finishes, in milliseconds since 1970. */
  activeAt: number;
};

/** A custodial wallet in the state of the mock platform. */
export type MockInternalWallet = {
  id: string;
  /** A decimal string. */
  balance: string;
  currency: string;
  network: string;
  address: string;
  addressMemo: string | null;
  addressId: string;
};

/** The user's own wallet, registered by delegation. */
export type MockExternalWallet = {
  address: string;
  currency: string;
  /** A decimal string. */
  balance: string;
  /** How much of it the card may spend, a decimal string. */
  allowance: string;
  network: string;
};

/** A transaction of a wallet. */
export type MockTransaction = {
  name: string;
  /** A decimal string. */
  amount: string;
  /** Lower-case code. */
  currency: string;
  sign: 'debit' | 'credit';
  /** ISO 8601. */
  date: string;
};

/** An order in the state of the mock platform. */
export type MockOrder = {
  orderId: string;
  requestId: string;
  status: string;
  productId: string;
  /** Not ISO 8601, as in practice: `2026-01-01 00:00:00.000+00`. */
  paidAt?: string;
};

/** The credentials that a platform accepts. */
export type MockCredentials = { clientKey: string; clientId: string; secretKey: string };

/** A tenant of the mock platform, and the credentials that its requests have. */
export type MockTenant = MockCredentials & { name: string };

/** A card transaction in the state of the mock platform. Any field may be absent. */
export type MockCardTransaction = Record<string, unknown>;

/** A user in the state of the mock platform. */
export type MockUser = {
  id: string;
  /** Name of the tenant that the user belongs to. */
  tenant: string;
  /** The global and the US environment have separate users. */
  environment: 'global' | 'us';
  email: string;
  password: string;
  phoneNumber: string | null;
  otpEnabled: boolean;
  /** Takes precedence over the platform's choice of the same name, for this user. */
  otpRequiredStatus?: MockChoices['otpRequiredStatus'] | undefined;
  /** Takes precedence over the platform's choice of the same name, for this user. */
  otpRejectedStatus?: MockChoices['otpRejectedStatus'] | undefined;
  /** Five failed logins lock the account until you set this to 0. */
  failedLogins: number;
  isDisabled: boolean;
  /** Takes precedence over the platform's choice of the same name, for this user. */
  loginRejectedStatus?: MockChoices['loginRejectedStatus'] | undefined;
  phase: string | null;
  /** Whether the client has permission on the account: without it, calls with a token get 403. */
  isLinked: boolean;
  verificationState: string;
  /** Takes precedence over the platform's choice of the same name, for this user. */
  notVerifiedStatus?: MockChoices['notVerifiedStatus'] | undefined;
  /** A verification that the provider is processing, until `doneAt`, in milliseconds since 1970. */
  verification: { result: string; doneAt: number } | null;
  faucet: 'confirmed' | 'pending' | 'declined';
  isFaucetUsed: boolean;
  card: MockCard | null;
  /** `balance` is a decimal string, in USDC. */
  creditWallet: { id: string; balance: string; isWithdrawable: boolean };
  /** `false` before the first credit: the credit wallet responds 404. */
  hasCreditWallet: boolean;
  internalWallets: MockInternalWallet[];
  /** `addressId` of the wallets that pay for the card. */
  linkedWallets: string[];
  /** Recipients that custodial wallets can pay with the choice `recipients: 'allowed-only'`. */
  allowedRecipients: string[];
  externalWallets: MockExternalWallet[];
  /** Newest first, by wallet id. */
  transactions: Record<string, MockTransaction[]>;
  /** Newest first. */
  cardTransactions: MockCardTransaction[];
  orders: MockOrder[];
  referral: { code: string; cap: number; used: number };
  /** Further fields of `user.get`. */
  profile: Record<string, string | null>;
  createdAt: string;
};

/** A delegation token in the state of the mock platform. */
export type MockDelegationToken = {
  token: string;
  nonce: string;
  userId: string;
  /** In milliseconds since 1970. */
  expiresAt: number;
  isUsed: boolean;
};

/** A consent set in the state of the mock platform. */
export type MockConsentSet = {
  /** Name of the tenant whose credentials created it. Requests of another tenant do not find it. */
  tenant: string;
  /** The environment in which it was created. Requests of the other one do not find it. */
  environment: MockUser['environment'];
  consentSetId: string;
  onboardingId: string;
  userId: string | null;
  tenantId: string;
  policyType: string;
  completedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Metadata of the whole set, as it was created. */
  metadata: Record<string, unknown>;
  consents: Record<string, unknown>[];
};

/** A webhook in the state of the mock platform. */
export type MockWebhook = {
  id: string;
  tenant: string;
  name: string;
  url: string;
  apiKey: string;
  eventTypes: string[];
  isActive: boolean;
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  /**
   * URL on this machine to which the sandbox forwards the events of every tenant. The API does not
   * show such a webhook.
   */
  forwardsTo?: string | undefined;
};

/** A single-use page: an image of card details or a PIN, the form to set the PIN, or a verification. */
export type MockPage = {
  token: string;
  /** The user whose data the page shows. */
  userId: string;
  kind: 'details' | 'pin' | 'set-pin' | 'verification';
  /** Whether the PIN page is in a frame. If so, it posts a message to its parent when it is done. */
  isEmbedded: boolean;
  /** Colours and radii of the page, as they were requested. */
  customCss: Record<string, string | number>;
  /** Where the PIN page redirects when it is not embedded. */
  redirectUrl?: string | undefined;
  /** In milliseconds since 1970. */
  expiresAt: number;
  isUsed: boolean;
  /** Whether it works until it expires. Default: once. */
  isReusable?: boolean | undefined;
};

/** One attempt to deliver an event to a webhook. */
export type MockDelivery = {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  /** 1 for the first attempt. */
  attemptNumber: number;
  /** URL of the webhook. */
  url: string;
  /** The body, as it was signed. */
  body: string;
  headers: Record<string, string>;
  /** Status of the receiver's response; `null` when it was not sent or got no response. */
  status: number | null;
  responseBody: string | null;
  /** Why there was no response. */
  errorMessage: string | null;
  /** `pending` waits for the next attempt, or was never sent because the platform has no receiver. */
  deliveryStatus: 'pending' | 'processing' | 'success' | 'failed';
  createdAt: string;
  /** When the next attempt is due; `null` when there is none. */
  nextRetryAt: string | null;
  /** URL on this machine to send to, instead of the webhook's own. */
  to?: string | undefined;
};

/** The complete state of a mock platform: plain data that can be cloned for a snapshot. */
export type MockState = {
  users: MockUser[];
  /** `expiresAt` is in milliseconds since 1970, here and in the lists below. */
  sessions: { accessToken: string; userId: string; expiresAt: number }[];
  /** Logins and requests for a code, with the choice `loginRateLimit`. */
  loginAttempts: { key: string; at: number }[];
  otps: { userId: string; code: string; expiresAt: number }[];
  delegationTokens: MockDelegationToken[];
  consentSets: MockConsentSet[];
  auditRecords: Record<string, unknown>[];
  webhooks: MockWebhook[];
  /** Every attempt to deliver an event, oldest first. */
  deliveries: MockDelivery[];
  pages: MockPage[];
  /** `hasPaymentConfig: false` leaves the `paymentConfig` out of its orders. */
  products: {
    id: string;
    description: string;
    isEligible: boolean;
    hasPaymentConfig?: boolean | undefined;
  }[];
  chainConfig: ChainConfig;
  /** The same for the US; `null`: `chainConfig`, with other spenders where it has those of the mock. */
  usChainConfig: ChainConfig | null;
  choices: MockChoices;
  tenants: MockTenant[];
  isReferralActive: boolean;
  isCustodial: boolean;
  isNotificationServiceConfigured: boolean;
  /** State of the observed calls, since the first of them. */
  observed?: MockObservedState | undefined;
};

/** A snapshot of a mock platform: its state, its time and the position of its id generator. */
export type MockSnapshot = {
  readonly state: MockState;
  /** The platform's time, in milliseconds since 1970. */
  readonly now: number;
  readonly ids: number;
};
