import type { ChainConfig } from '../contract/delegation.js';

/** A card in the state of the mock platform. */
export type MockCard = {
  id: string;
  holderName: string;
  expiryDate: string;
  panLast4: string;
  /** 4 digits. No JSON response contains it; only the single-use image shows it. */
  pin: string;
  status: 'PENDING' | 'ACTIVE' | 'FROZEN' | 'BLOCKED';
  type: string;
  orderedAt: string;
  /** When provisioning finishes, in milliseconds since 1970. */
  activeAt: number;
};

/** A custodial wallet in the state of the mock platform. */
export type MockInternalWallet = {
  id: string;
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
  balance: string;
  allowance: string;
  network: string;
};

/** A transaction of a wallet. */
export type MockTransaction = {
  name: string;
  amount: string;
  currency: string;
  sign: 'debit' | 'credit';
  date: string;
};

/** An order in the state of the mock platform. */
export type MockOrder = {
  orderId: string;
  requestId: string;
  status: string;
  productId: string;
  paidAt?: string;
};

/** A user in the state of the mock platform. */
export type MockUser = {
  id: string;
  /** The global and the US environment have separate users. */
  environment: 'global' | 'us';
  email: string;
  password: string;
  phoneNumber: string | null;
  otpEnabled: boolean;
  /** Status of a login that needs a one-time password. The service uses both in practice. */
  otpRequiredStatus: 400 | 200;
  /** Status of a rejected one-time password. 200 asks for another one. The service uses all three. */
  otpRejectedStatus: 400 | 401 | 200;
  /** Five failed logins lock the account until you set this to 0. */
  failedLogins: number;
  isDisabled: boolean;
  /** Status of wrong login data, and of a locked or disabled account. The service uses all three. */
  loginRejectedStatus: 400 | 401 | 403;
  phase: string | null;
  isLinked: boolean;
  verificationState: string;
  /** Status of a card order when the user is not verified. The service uses both in practice. */
  notVerifiedStatus: 400 | 403;
  /** A verification that the provider is processing. */
  verification: { result: string; doneAt: number } | null;
  faucet: 'confirmed' | 'pending' | 'declined';
  isFaucetUsed: boolean;
  /**
   * The response to a new proof for a registered wallet: a refusal ("Wallet already approved"), or its
   * limit is replaced. The service does both in practice.
   */
  reapproval: 'refused' | 'replaces-limit';
  card: MockCard | null;
  creditWallet: { id: string; balance: string; isWithdrawable: boolean };
  /** `false` before the first credit: the credit wallet responds 404. */
  hasCreditWallet: boolean;
  internalWallets: MockInternalWallet[];
  /** `addressId` of the wallets that pay for the card. */
  linkedWallets: string[];
  externalWallets: MockExternalWallet[];
  /** Newest first, by wallet id. */
  transactions: Record<string, MockTransaction[]>;
  cardTransactions: Record<string, unknown>[];
  orders: MockOrder[];
  referral: { code: string; cap: number; used: number };
  profile: Record<string, string | null>;
};

/** A delegation token in the state of the mock platform. */
export type MockDelegationToken = {
  token: string;
  nonce: string;
  userId: string;
  expiresAt: number;
  isUsed: boolean;
};

/** A consent set in the state of the mock platform. */
export type MockConsentSet = {
  consentSetId: string;
  onboardingId: string;
  userId: string | null;
  tenantId: string;
  policyType: string;
  completedAt: string | null;
  createdAt: string;
  updatedAt: string;
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
};

/** A single-use page: an image of card details or a PIN, the form to set the PIN, or a verification. */
export type MockPage = {
  token: string;
  /** The user whose data the page shows. */
  userId: string;
  kind: 'details' | 'pin' | 'set-pin' | 'verification';
  /** Whether the PIN page is in a frame. If so, it posts a message to its parent when it is done. */
  isEmbedded: boolean;
  /** Where the PIN page redirects when it is not embedded. */
  redirectUrl?: string | undefined;
  expiresAt: number;
  isUsed: boolean;
};

/** The complete state of a mock platform: plain data that can be cloned for a snapshot. */
export type MockState = {
  users: MockUser[];
  sessions: { accessToken: string; userId: string; expiresAt: number }[];
  otps: { userId: string; code: string; expiresAt: number }[];
  delegationTokens: MockDelegationToken[];
  consentSets: MockConsentSet[];
  auditRecords: Record<string, unknown>[];
  webhooks: MockWebhook[];
  webhookLogs: Record<string, unknown>[];
  pages: MockPage[];
  products: { id: string; description: string; isEligible: boolean }[];
  chainConfig: ChainConfig;
  isReferralActive: boolean;
  isCustodial: boolean;
  isNotificationServiceConfigured: boolean;
};

/** A snapshot of a mock platform: its state, its time and the position of its id generator. */
export type MockSnapshot = {
  readonly state: MockState;
  readonly now: number;
  readonly ids: number;
};
