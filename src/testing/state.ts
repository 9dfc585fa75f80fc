import type { ChainConfig } from '../contract/delegation.js';

/** A card as the platform keeps it. */
export type MockCard = {
  id: string;
  holderName: string;
  expiryDate: string;
  panLast4: string;
  /** 4 digits. No answer of the service shows it: only the single-use image does. */
  pin: string;
  status: 'PENDING' | 'ACTIVE' | 'FROZEN' | 'BLOCKED';
  type: string;
  orderedAt: string;
  /** When provisioning finishes, in milliseconds since 1970. */
  activeAt: number;
};

/** A custodial wallet as the platform keeps it. */
export type MockInternalWallet = {
  id: string;
  balance: string;
  currency: string;
  network: string;
  address: string;
  addressMemo: string | null;
  addressId: string;
};

/** A wallet of the user's own, registered by delegation. */
export type MockExternalWallet = {
  address: string;
  currency: string;
  balance: string;
  allowance: string;
  network: string;
};

/** A movement of a wallet. */
export type MockTransaction = {
  name: string;
  amount: string;
  currency: string;
  sign: 'debit' | 'credit';
  date: string;
};

/** An order as the platform keeps it. */
export type MockOrder = {
  orderId: string;
  requestId: string;
  status: string;
  productId: string;
  paidAt?: string;
};

/** A user as the platform keeps one. */
export type MockUser = {
  id: string;
  /** The US environment has users of its own. */
  environment: 'global' | 'us';
  email: string;
  password: string;
  phoneNumber: string | null;
  otpEnabled: boolean;
  /** How the service asks for a code: both were seen. */
  otpAnswer: 400 | 200;
  failedLogins: number;
  isDisabled: boolean;
  phase: string | null;
  isLinked: boolean;
  verificationState: string;
  /** A verification that the provider works on. */
  verification: { result: string; doneAt: number } | null;
  faucet: 'confirmed' | 'pending' | 'declined';
  isFaucetUsed: boolean;
  card: MockCard | null;
  creditWallet: { id: string; balance: string; isWithdrawable: boolean };
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

/** A delegation token as the platform keeps it. */
export type MockDelegationToken = {
  token: string;
  nonce: string;
  userId: string;
  expiresAt: number;
  isUsed: boolean;
};

/** A consent set as the platform keeps it. */
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

/** A webhook as the platform keeps it. */
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

/** What a page shows once: an image of card details or a PIN, the PIN page, a verification. */
export type MockPage = {
  token: string;
  /** Whom it is about. */
  userId: string;
  shows: 'details' | 'pin' | 'set-pin' | 'verification';
  /** Whether the PIN page stands in a frame: then it tells the page around it when it is over. */
  isEmbedded: boolean;
  /** Where the PIN page leads when it is not embedded. */
  redirectUrl?: string | undefined;
  expiresAt: number;
  isSeen: boolean;
};

/** Everything that the platform remembers. Plain data, so that a snapshot is a copy. */
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
