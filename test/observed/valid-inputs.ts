const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const contact = { contactVerificationId: 'canary-contact-id' };
const phone = { phoneCountryCode: '+49', phoneNumber: '15112345678', ...contact };
const address = {
  onboardingId: 'canary-onboarding-id',
  addressLine1: 'Canary Street 1',
  city: 'Canaryville',
  zip: '10117',
  usState: 'IL',
};

/** An input of each observed call. Secret values are texts that occur nowhere else. */
export const VALID_INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'auth.oauth.initiate': {
    clientId: 'client-1',
    redirectUri: 'https://app.example/in',
    state: 'canary-state',
    codeChallenge: CHALLENGE,
    clientSecret: 'canary-client-secret',
  },
  'auth.oauth.authorize': { token: 'canary-initiate-token' },
  'auth.oauth.exchangeCode': {
    code: 'canary-code',
    codeVerifier: VERIFIER,
    redirectUri: 'app://in',
  },
  'auth.oauth.refresh': { refreshToken: 'canary-refresh-token' },
  'auth.oauth.revoke': {},
  'auth.oauth2.exchangeCode': { code: 'canary-code', codeVerifier: VERIFIER },
  'auth.oauth2.refresh': { refreshToken: 'canary-refresh-token' },
  'auth.oauth2.revoke': { token: 'canary-token', tokenHint: 'refresh_token' },
  'auth.logout': {},
  'auth.passwordReset.request': { email: 'canary@example.com' },
  'auth.passwordReset.verify': { email: 'canary@example.com', code: 'canary-code' },
  'auth.passwordReset.confirm': { token: 'canary-token', password: 'canary-password' },
  'user.registration.settings': {},
  'user.registration.sendEmailCode': { email: 'canary@example.com' },
  'user.registration.verifyEmail': {
    email: 'canary@example.com',
    password: 'canary-password',
    verificationCode: '918273',
    ...contact,
    countryOfResidence: 'DE',
    allowMarketing: false,
    allowSms: true,
  },
  'user.registration.sendPhoneCode': phone,
  'user.registration.verifyPhone': {
    ...phone,
    onboardingId: 'canary-onboarding-id',
    verificationCode: '918273',
  },
  'user.registration.startVerification': { onboardingId: 'canary-onboarding-id' },
  'user.registration.submitPersonalDetails': {
    onboardingId: 'canary-onboarding-id',
    firstName: 'Canary-Ada',
    lastName: 'Canary-Lovelace',
    dateOfBirth: '1990-12-10',
    countryOfNationality: 'DE',
    ssn: '918273645',
  },
  'user.registration.submitAddress': address,
  'user.registration.submitMailingAddress': address,
  'user.registration.get': { onboardingId: 'canary-onboarding-id' },
  'consent.getByOnboarding': { onboardingId: 'canary-onboarding-id' },
  'consent.getByUser': { userId: 'user-1', full: 'true' },
  'wallets.external.getPriority': {},
  'wallets.external.setPriority': { wallets: [{ id: 7, priority: 1 }] },
  'wallets.internal.setLinkedPriority': { wallets: [{ addressId: 'a', priority: 1 }] },
  'wallets.reward.get': {},
  'wallets.reward.estimateWithdrawal': {},
  'wallets.reward.withdraw': { amount: '12.5' },
  'card.cashback': {},
  'card.statement': { dateFrom: '2026-01-01', dateTo: '2026-01-31' },
  'card.provisioning.apple': {
    leafCertificate: 'canary-leaf',
    intermediateCertificate: 'canary-intermediate',
    nonce: 'canary-nonce',
    nonceSignature: 'canary-signature',
  },
  'card.provisioning.google': {},
  'webhooks.events.list': { status: 'failed', limit: 20 },
  'webhooks.events.status': { eventId: 'event-1' },
  'webhooks.events.logs': { eventId: 'event-1' },
  'webhooks.events.retry': { eventId: 'event-1' },
};

/** A response to each call that has required or secret fields. */
export const RESPONSES: Readonly<Record<string, unknown>> = {
  'auth.oauth.initiate': { token: 'canary-answer-token', url: 'https://x/canary-answer' },
  'auth.oauth.authorize': { code: 'canary-answer-code', state: 'canary-answer-state' },
  'auth.oauth.exchangeCode': {
    access_token: 'canary-answer-access',
    expires_in: 21_600,
    refresh_token: 'canary-answer-refresh',
  },
  'auth.oauth.refresh': {
    access_token: 'canary-answer-access',
    expires_in: 21_600,
    refresh_token: 'canary-answer-refresh',
  },
  'auth.oauth2.exchangeCode': {
    access_token: 'canary-answer-access',
    expires_in: 1,
    id_token: 'canary-answer-id',
  },
  'auth.oauth2.refresh': {
    access_token: 'canary-answer-access',
    expires_in: 1,
    refresh_token: 'canary-answer-refresh',
  },
  'auth.passwordReset.verify': { token: 'canary-answer-token' },
  'user.registration.sendEmailCode': { contactVerificationId: 'canary-answer-id' },
  'user.registration.verifyEmail': {
    onboardingId: 'canary-answer-id',
    user: { firstName: 'canary-answer-name', somethingNew: 'canary-answer-new' },
  },
  'user.registration.verifyPhone': { user: { email: 'canary-answer@example.com' } },
  'user.registration.startVerification': { sessionUrl: 'https://id.example/canary-answer' },
  'user.registration.submitPersonalDetails': { user: { ssn: 'canary-answer-ssn' } },
  'user.registration.submitAddress': {
    accessToken: 'canary-answer-access',
    user: { id: 'canary-answer-user' },
  },
  'user.registration.submitMailingAddress': { accessToken: 'canary-answer-access' },
  'user.registration.get': { email: 'canary-answer@example.com', unseen: 'canary-answer-new' },
  'wallets.external.getPriority': [],
  'wallets.reward.get': { id: 'reward-1', currency: 'usdc', balance: '3.25' },
  'wallets.reward.withdraw': { txHash: '0xabc' },
  'card.cashback': { amount: '1.5', ratePercent: '2' },
  'card.provisioning.apple': {
    data: {
      encryptedPassData: 'canary-answer-pass',
      activationData: 'canary-answer-activation',
      ephemeralPublicKey: 'canary-answer-key',
    },
  },
  'card.provisioning.google': { success: true, data: { opaquePaymentCard: 'canary-answer-card' } },
  'webhooks.events.list': { total: 1, events: [{ id: 'e', payload: { name: 'canary-answer' } }] },
  'webhooks.events.logs': {
    event: { payload: { name: 'canary-answer' } },
    logs: [{ requestHeaders: { signature: 'canary-answer' }, responseBody: 'canary-answer' }],
  },
};
