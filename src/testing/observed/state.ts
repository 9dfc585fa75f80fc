/** An e-mail or a text message that the platform sent to a user. */
export type MockMessage = {
  channel: 'email' | 'phone';
  /** An e-mail address, or a phone number with a plus sign and its country code. */
  to: string;
  purpose: 'registration' | 'password-reset';
  /** Six digits. */
  code: string;
  sentAt: string;
  /** When the code expires, in milliseconds since 1970. */
  expiresAt: number;
};

/** The tenant and the environment of an item. Only their requests find it. */
export type MockPlace = { tenant: string; environment: 'global' | 'us' };

/** An authorization that a client requested. */
export type MockAuthorization = MockPlace & {
  family: 'oauth' | 'oauth2';
  /** The session token of `auth.oauth.initiate`; `null` in the other family. */
  token: string | null;
  clientId: string;
  redirectUri: string;
  state: string | null;
  scope: string;
  codeChallenge: string;
  /** When the session token, and later the code, expires. In milliseconds since 1970. */
  expiresAt: number;
  /** `null` until a user agrees. */
  code: string | null;
  userId: string | null;
  isUsed: boolean;
};

/** The tokens of a user that a client received for a code. */
export type MockOAuthGrant = MockPlace & {
  family: 'oauth' | 'oauth2';
  userId: string;
  scope: string;
  accessTokens: string[];
  /** `null` without the scope `offline_access`, and when it was revoked. */
  refreshToken: string | null;
  /** In milliseconds since 1970. */
  refreshTokenExpiresAt: number;
  /** Refresh tokens that a newer one has replaced. */
  usedRefreshTokens: string[];
  isEnded: boolean;
};

/** A password reset that was requested. */
export type MockPasswordReset = {
  userId: string;
  code: string;
  /** `null` until the code is verified. */
  token: string | null;
  /** When the code, and later the token, expires. In milliseconds since 1970. */
  expiresAt: number;
};

/** A code that proves an e-mail address. */
export type MockContactVerification = MockPlace & {
  id: string;
  email: string;
  code: string;
  /** When the code expires, in milliseconds since 1970. */
  expiresAt: number;
  isVerified: boolean;
};

/** A registration. Its user exists as soon as the e-mail address is verified. */
export type MockRegistration = MockPlace & {
  onboardingId: string;
  contactVerificationId: string;
  userId: string;
  /**
   * The phone number to prove, and the code that was sent to it. `expiresAt` is in milliseconds since
   * 1970. `null` before the code is sent, and after it is verified.
   */
  phone: { countryCode: string; number: string; code: string; expiresAt: number } | null;
  mailingAddress: Record<string, string | null> | null;
  allowMarketing: boolean;
  allowSms: boolean;
  userExternalId: string | null;
};

/** The reward wallet of a user. */
export type MockRewardWallet = {
  id: string;
  userId: string;
  /** A decimal string. */
  balance: string;
  currency: string;
  isWithdrawable: boolean;
  /** The sum of all rewards, a decimal string. */
  earned: string;
};

/** The place of an external wallet in the order in which wallets pay. */
export type MockWalletPriority = {
  userId: string;
  /** The number by which the list of priorities identifies the wallet. */
  id: number;
  address: string;
  currency: string;
  network: string;
  priority: number;
};

/** The state behind the observed calls: plain data. */
export type MockObservedState = {
  /** Oldest first. */
  messages: MockMessage[];
  authorizations: MockAuthorization[];
  grants: MockOAuthGrant[];
  passwordResets: MockPasswordReset[];
  contactVerifications: MockContactVerification[];
  registrations: MockRegistration[];
  rewardWallets: MockRewardWallet[];
  externalPriorities: MockWalletPriority[];
  /** The order of the wallets that pay for the card, where a request has set it. */
  linkedPriorities: { userId: string; addressId: string; priority: number }[];
  /** Nonces that a card was provisioned with. */
  usedNonces: string[];
};

/** Returns the state behind the observed calls, which a new platform does not have yet. */
export function observedStateOf(state: { observed?: MockObservedState | undefined }) {
  state.observed ??= {
    messages: [],
    authorizations: [],
    grants: [],
    passwordResets: [],
    contactVerifications: [],
    registrations: [],
    rewardWallets: [],
    externalPriorities: [],
    linkedPriorities: [],
    usedNonces: [],
  };
  return state.observed;
}
