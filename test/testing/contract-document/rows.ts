/**
 * Statements of the contract that a test of this folder's parent checks by name: the file, a part of
 * the test's title, and the beginnings of the statements.
 */
export const CHECKED_BY: readonly (readonly [file: string, title: string, keys: string[]])[] = [
  [
    'delegation.test.ts',
    'has the text of the contract for an address',
    ['Errors > Messages whose status code'],
  ],
  [
    'login.test.ts',
    'returns an access token that is valid for six hours',
    [
      'Access session (login response) > | accessToken',
      'Access session (login response) > | userId',
      'Login > - 200 response',
      'Authentication > - The access token is obtained',
      'Limits > | Access token lifetime',
      'What the service does > - User login',
    ],
  ],
  [
    'login.test.ts',
    'when a one-time password is required',
    [
      'Access session (login response) > | isOtpRequired',
      'Access session (login response) > | phoneNumber',
      'Login > - When OTP is enabled',
      'Authentication > - OTP: when a user has OTP enabled',
      'Limits > | OTP length',
    ],
  ],
  [
    'login.test.ts',
    'returns no access token before onboarding is finished',
    ['Access session (login response) > | phase', 'Onboarding phase > Values'],
  ],
  [
    'life.test.ts',
    'gets 403 from every call with a token',
    ['Access session (login response) > | isLinked'],
  ],
  [
    'delegation.test.ts',
    'can be used once, and a new one replaces the limit',
    [
      'Delegation token > | token |',
      'Delegation token > | (none) |',
      'Delegation token > | issued | successful',
      'Delegation, step 3 (EVM) > | token',
      'Delegation, step 3 (EVM) > - 200',
      'Delegation, step 3 (Solana) > | token',
      'Delegation, step 3 (Solana) > - 200',
      'Authentication > - The first-step delegation token',
      'What the service does > - Delegation',
    ],
  ],
  [
    'delegation.test.ts',
    'is not used up by a message with',
    [
      'Delegation token > | nonce',
      'Delegation, step 3 (EVM) > | sigMessage',
      'Delegation, step 3 (Solana) > - Nonce',
    ],
  ],
  [
    'delegation.test.ts',
    'expires after ten minutes',
    ['Delegation token > | issued | about 10 minutes', 'Limits > | Delegation token lifetime'],
  ],
  [
    'delegation.test.ts',
    'can be set to',
    [
      'Delegation token > | faucet',
      'Delegation token > Faucet result',
      'Delegation token > Faucet status values',
    ],
  ],
  [
    'delegation.test.ts',
    'pays each user once over all networks',
    [
      'Delegation, step 1: get token > - 200',
      'Delegation, step 1: get token > - 207',
      'Delegation, step 1: get token > - Faucet rules',
      'Limits > | Faucet use',
    ],
  ],
  [
    'environments.test.ts',
    'the region of a delegation request',
    ['Delegation, step 1: get token > - Query'],
  ],
  [
    'environments.test.ts',
    'an access token of one environment is rejected in the other',
    ['Endpoints > Conventions', 'Authentication > | US routing'],
  ],
  [
    'card.test.ts',
    'is PENDING for three seconds',
    [
      'Card status > Values',
      'Card status > | (no card)',
      'Card status > | PENDING',
      'Card order > - 200',
      'Card status > - 200',
    ],
  ],
  [
    'card.test.ts',
    'can be frozen and unfrozen',
    [
      'Card status > | FROZEN | POST /v1/card/unfreeze',
      'Card status > | FROZEN | POST /v1/card/freeze',
      'Freeze and unfreeze > - 200',
    ],
  ],
  ['life.test.ts', 'is declined while the card is frozen', ['Card status > | ACTIVE | POST']],
  [
    'card.test.ts',
    'stays BLOCKED after freeze and unfreeze',
    ['Card status > | ACTIVE or BLOCKED', 'Card status > | BLOCKED'],
  ],
  ['card.test.ts', 'can be ordered again only when', ['Limits > | Cards per user']],
  [
    'card.test.ts',
    'cannot be ordered by a user whose verification is',
    ['Card order > - Preconditions'],
  ],
  [
    'card.test.ts',
    'ten minutes after the session was completed',
    [
      'Access session (login response) > | verificationState',
      'Verification state > Values',
      'Verification state > | PENDING | provider finishes | accepted',
    ],
  ],
  [
    'pages.test.ts',
    'can end in REJECTED, and can be started again',
    [
      'Verification state > | UNVERIFIED or REJECTED',
      'Verification state > | PENDING | provider finishes | refused',
    ],
  ],
  [
    'pages.test.ts',
    'responds 410 after a day',
    [
      'Verification session > `sessionUrl`',
      'Start user verification > - 200',
      'Limits > | Verification session',
    ],
  ],
  [
    'pages.test.ts',
    'shows the details of a card that cannot be real, once',
    ['Card details token > - 200'],
  ],
  [
    'pages.test.ts',
    'shows the colours of customCss',
    ['Card details token > - Body optional', 'PIN view token > - Body optional'],
  ],
  [
    'pages.test.ts',
    'responds 410 after ten minutes',
    ['PIN view token > - 200', 'Limits > | PIN image token lifetime'],
  ],
  [
    'pages.test.ts',
    'redirects when it is not embedded',
    [
      'PIN set token > - Body (all optional)',
      'PIN set token > - Behavior',
      'PIN set token > - 200',
    ],
  ],
  [
    'pages.test.ts',
    'posts the abort message to its parent',
    ['Events > - Embedded PIN-setup page'],
  ],
  [
    'wallets.test.ts',
    'withdraws to the external wallet when the balance covers',
    [
      'Credit wallet withdrawal > - Body',
      'Credit wallet withdrawal > - 200',
      'What the service does > - Withdrawal from the credit wallet',
    ],
  ],
  [
    'wallets.test.ts',
    'pay out',
    [
      'Internal wallet withdrawal > | amount',
      'Internal wallet withdrawal > | sourceAddress',
      'Internal wallet withdrawal > | currency',
      'Internal wallet withdrawal > - 200',
      'What the service does > - Custodial',
    ],
  ],
  [
    'wire-names.test.ts',
    'moves no money when it spells the recipient',
    ['Internal wallet withdrawal > | recipientAddrss'],
  ],
  [
    'wallets.test.ts',
    'reject an unknown currency of a network, and have a memo on XRP',
    [
      'Internal wallets > **POST',
      'Internal wallet withdrawal > | sourceMemo',
      'Internal wallet withdrawal > | recipientMemo',
    ],
  ],
  [
    'wallets.test.ts',
    'link at most five wallets',
    [
      'Link wallet to card > - Body',
      'Link wallet to card > - Response',
      'Link wallet to card > - Error',
      'Limits > | Linked wallets',
    ],
  ],
  [
    'wallets.test.ts',
    'has pages of ten',
    [
      'Wallet history > - 200',
      'Limits > | History page size',
      'What the service does > - Paginated',
    ],
  ],
  ['life.test.ts', 'is shown for its own type and currency only', ['Wallet history > - Query']],
  [
    'tenant.test.ts',
    'get their status from setOrderStatus',
    [
      'Create order > - 200',
      'Create order > - After payment',
      'What the service does > - Creating product orders',
    ],
  ],
  ['tenant.test.ts', 'are rejected for an unknown product', ['Create order > - Body']],
  [
    'tenant.test.ts',
    'is created once and linked once',
    [
      'Consent set > | (none)',
      'Consent set > | created',
      'Consent set > | linked',
      'Onboarding consent, create > - 201',
      'Onboarding consent, link user > - 200',
      'What the service does > - Onboarding consent',
    ],
  ],
  [
    'tenant.test.ts',
    'keeps the metadata',
    ['Consent set > Consent metadata keys', 'Consent set > Consent item'],
  ],
  [
    'tenant.test.ts',
    'with the missing consents',
    [
      'Onboarding consent, create > - Body',
      'Onboarding consent, create > - Consent item',
      'Onboarding consent, create > - Policy rules',
      'Limits > | Consents per create',
    ],
  ],
  [
    'tenant.test.ts',
    'has a code while a campaign is active',
    ['Referral code > - 200', 'What the service does > - A referral code'],
  ],
  [
    'tenant.test.ts',
    'update the given fields and keep the others',
    [
      'Webhook configuration > | active or inactive',
      'Update webhook > - Body',
      'Update webhook > - 200',
      'What the service does > - Management of webhook',
    ],
  ],
  [
    'tenant.test.ts',
    'are limited to five, and can be deleted',
    ['Webhook configuration > | any', 'Delete webhook > - 200'],
  ],
  [
    'tenant.test.ts',
    'show a key once, and mask it afterwards',
    ['Rotate webhook signing key > - 200'],
  ],
  [
    'events.test.ts',
    'are not delivered to a paused or deleted webhook',
    ['Events > - Webhook deliveries'],
  ],
  ['events.test.ts', 'are not created for a freeze', ['Events > - No other events']],
  [
    'every-endpoint.test.ts',
    'responds 499 without a key and 498 to a wrong one',
    ['Authentication > | Client key', 'Authentication > | Client identifier'],
  ],
  [
    'every-endpoint.test.ts',
    'responds 401 without the secret key',
    ['Authentication > | Secret key'],
  ],
  [
    'every-endpoint.test.ts',
    'responds 401 without a valid access token',
    ['Authentication > | Bearer access token', 'Authentication > - A missing client key'],
  ],
  ['every-status.test.ts', 'with a body of the documented form', ['Errors > Body shapes']],
];

/**
 * Statements that a test of the client checks by name: the file below `test`, a part of the test's title,
 * and the beginnings of the statements.
 */
export const CLIENT_CHECKED_BY: readonly (readonly [
  file: string,
  title: string,
  keys: string[],
])[] = [
  [
    'client/polling.test.ts',
    'continues after 404, PENDING and unknown states',
    ['Card status > Values', 'Card status > | PENDING'],
  ],
  [
    'client/polling.test.ts',
    'resolves with %s',
    ['Verification state > Values', 'Verification state > | PENDING'],
  ],
  [
    'client/polling.test.ts',
    "resolves when the caller's predicate is true",
    ['Create order > - After payment'],
  ],
  [
    'client/pagination.test.ts',
    'requests a page only when it is needed',
    ['Wallet history > - 200', 'Limits > | History page size'],
  ],
  [
    'client/responses.test.ts',
    'asks for a one-time password even when the response names no user',
    [
      'Access session (login response) > | isOtpRequired',
      'Login > - When OTP is enabled',
      'Authentication > - OTP',
    ],
  ],
  [
    'client/responses.test.ts',
    'returns a finished session for the phase',
    ['Access session (login response) > | phase'],
  ],
  [
    'client/responses.test.ts',
    'fails without an access token',
    ['Access session (login response) > | accessToken'],
  ],
  [
    'client/responses.test.ts',
    'is accepted for an internal wallet without memo',
    ['Internal wallet > | addressMemo'],
  ],
  [
    'client/requests.test.ts',
    'sends US routing only if the contract documents it',
    ['Endpoints > Conventions', 'Authentication > | US routing'],
  ],
  [
    'client/requests.test.ts',
    'sends exactly its credentials',
    [
      'Authentication > | Client key',
      'Authentication > | Client identifier',
      'Authentication > | Secret key',
      'Authentication > | Bearer access token',
    ],
  ],
];

/** Statements without a rule that a platform could follow, and why. */
export const NOT_CHECKED: readonly (readonly [reason: string, keys: string[]])[] = [
  [
    'an overview; each part has its own statements',
    [
      'Card and Wallet Platform API >',
      'What the service does > The service',
      'What the service does > - Ordering',
      'What the service does > - Identity',
    ],
  ],
  [
    'the contract says that it does not say it',
    [
      'Gaps in resources > - Credit wallet',
      'Gaps in resources > - User profile',
      'Gaps in resources > - Order record',
      'Card status > Transitions into BLOCKED',
      'Webhook configuration > Order states',
      'Card details token > - Token lifetime',
      'Referenced endpoints without a contract >',
      'Authentication > - Token refresh',
      'Events > - Delivery payload',
      'Events > - Signature header',
      'Limits > Rate limits',
    ],
  ],
  ['about the use, not about an exchange', ['Login > - Used as the second step']],
  [
    'only introduces the table below it',
    [
      'Delegation, step 3 (EVM) > - Body',
      'Delegation, step 3 (Solana) > - Body',
      'Internal wallet withdrawal > - Body',
    ],
  ],
  [
    'the mock has no chain: pass verifyEvmProof or verifySolanaProof',
    ['Credit wallet withdrawal > - Fees', 'Limits > | Faucet confirmation polling'],
  ],
  ['every path of the declarations has it, which test/contract compares', ['Versioning >']],
];
