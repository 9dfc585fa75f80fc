/**
 * Statements of the contract that a test checks by name: the file below `test`, a part of the test's
 * title, and the beginnings of the statements.
 */
export const CHECKED_BY: readonly (readonly [file: string, title: string, keys: string[]])[] = [
  [
    'testing/delegation.test.ts',
    'has the text of the contract for an address',
    ['Errors > Messages whose status code'],
  ],
  [
    'testing/login.test.ts',
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
    'testing/login.test.ts',
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
    'testing/login.test.ts',
    'returns no access token before onboarding is finished',
    ['Access session (login response) > | phase', 'Onboarding phase > Values'],
  ],
  [
    'testing/delegation.test.ts',
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
    'testing/delegation.test.ts',
    'is not used up by a message with',
    [
      'Delegation token > | nonce',
      'Delegation, step 3 (EVM) > | sigMessage',
      'Delegation, step 3 (Solana) > - Nonce',
    ],
  ],
  [
    'testing/delegation.test.ts',
    'works for ten minutes',
    ['Delegation token > | issued | about 10 minutes', 'Limits > | Delegation token lifetime'],
  ],
  [
    'testing/delegation.test.ts',
    'can be set to',
    [
      'Delegation token > | faucet',
      'Delegation token > Faucet result',
      'Delegation token > Faucet status values',
      'Delegation, step 1: get token > When eligible',
    ],
  ],
  [
    'testing/delegation.test.ts',
    'pays each user once over all networks',
    [
      'Delegation, step 1: get token > - 200',
      'Delegation, step 1: get token > - 207',
      'Delegation, step 1: get token > - Faucet rules',
      'Limits > | Faucet use',
      'What the service does > An optional one-time gas faucet',
      'Delegation, step 1: get token > Returned when no faucet',
      'Delegation, step 1: get token > A faucet failure',
    ],
  ],
  [
    'testing/environments.test.ts',
    'the region of a delegation request',
    ['Delegation, step 1: get token > - Query', 'Delegation, step 3 (EVM) > Optional query'],
  ],
  [
    'testing/environments.test.ts',
    'an access token of one environment is rejected in the other',
    ['Endpoints > Conventions', 'Authentication > | US routing', 'Endpoints > Header `x-us-env`'],
  ],
  [
    'testing/card.test.ts',
    'is PENDING for three seconds',
    [
      'Card status > Values',
      'Card status > | (no card)',
      'Card status > | PENDING',
      'Card order > - 200',
      'Card status > - 200',
      'Card status > A freshly ordered card',
    ],
  ],
  [
    'testing/card.test.ts',
    'can be frozen and unfrozen',
    [
      'Card status > | FROZEN | POST /v1/card/unfreeze',
      'Card status > | FROZEN | POST /v1/card/freeze',
      'Freeze and unfreeze > - 200',
    ],
  ],
  [
    'testing/life.test.ts',
    'is declined while the card is frozen',
    ['Card status > | ACTIVE | POST'],
  ],
  [
    'testing/card.test.ts',
    'stays BLOCKED after freeze and unfreeze',
    ['Card status > | ACTIVE or BLOCKED', 'Card status > | BLOCKED'],
  ],
  [
    'testing/card.test.ts',
    'is replaced by an order once it is BLOCKED',
    ['Card status > | BLOCKED'],
  ],
  ['testing/card.test.ts', 'makes an order end with', ['Limits > | Cards per user']],
  [
    'testing/card.test.ts',
    'cannot be ordered by a user whose verification is',
    ['Card order > - Preconditions'],
  ],
  [
    'testing/card.test.ts',
    'ten minutes after the session was completed',
    [
      'Access session (login response) > | verificationState',
      'Verification state > Values',
      'Verification state > | PENDING | provider finishes | accepted',
    ],
  ],
  [
    'testing/pages.test.ts',
    'can end in REJECTED, and can be started again',
    [
      'Verification state > | UNVERIFIED or REJECTED',
      'Verification state > | PENDING | provider finishes | refused',
    ],
  ],
  [
    'testing/pages.test.ts',
    'works for a day',
    [
      'Verification session > `sessionUrl`',
      'Start user verification > - 200',
      'Limits > | Verification session',
    ],
  ],
  [
    'testing/pages.test.ts',
    'shows the details of a card that cannot be real, once',
    ['Card details token > - 200', 'PIN view token > The token lives'],
  ],
  [
    'testing/pages.test.ts',
    'shows the colours of customCss',
    [
      'Card details token > - Body optional',
      'PIN view token > - Body optional',
      'Card details token > Defaults apply',
    ],
  ],
  [
    'testing/pages.test.ts',
    'works for ten minutes',
    [
      'PIN view token > - 200',
      'Limits > | PIN image token lifetime',
      'PIN view token > The token lives',
    ],
  ],
  [
    'testing/pages.test.ts',
    'redirects when it is not embedded',
    [
      'PIN set token > - Body (all optional)',
      'PIN set token > - Behavior',
      'PIN set token > - 200',
    ],
  ],
  [
    'testing/pages.test.ts',
    'posts the abort message to its parent',
    ['Events > - Embedded PIN-setup page'],
  ],
  [
    'testing/wallets.test.ts',
    'keeps the fee, and pays the rest of a withdrawal',
    ['Credit wallet withdrawal > - Fees'],
  ],
  [
    'testing/wallets.test.ts',
    'withdraws to the external wallet when the balance covers',
    [
      'Credit wallet withdrawal > - Body',
      'Credit wallet withdrawal > - 200',
      'What the service does > - Withdrawal from the credit wallet',
    ],
  ],
  [
    'testing/wallets.test.ts',
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
    'testing/wire-names.test.ts',
    'moves no money when it spells the recipient',
    ['Internal wallet withdrawal > | recipientAddrss'],
  ],
  [
    'testing/wallets.test.ts',
    'reject an unknown currency of a network, and have a memo on XRP',
    [
      'Internal wallets > **POST',
      'Internal wallet > | addressMemo',
      'Internal wallet withdrawal > | sourceMemo',
      'Internal wallet withdrawal > | recipientMemo',
      'Internal wallets > Body',
      'Internal wallets > Response',
    ],
  ],
  [
    'testing/wallets.test.ts',
    'link at most five wallets',
    [
      'Internal wallet > | addressId',
      'Link wallet to card > - Body',
      'Link wallet to card > - Response',
      'Link wallet to card > - Error',
      'Limits > | Linked wallets',
    ],
  ],
  [
    'testing/wallets.test.ts',
    'has pages of ten',
    [
      'Wallet history > - 200',
      'Limits > | History page size',
      'What the service does > - Paginated',
      'Wallet history > A page with fewer',
    ],
  ],
  ['testing/wallets.test.ts', 'has the newest first', ['Wallet history > - 200']],
  [
    'testing/life.test.ts',
    'is shown for its own type and currency only',
    ['Wallet history > - Query'],
  ],
  ['service/small-differences.test.ts', 'as the first one', ['Wallet history > - Query']],
  [
    'service/small-differences.test.ts',
    'takes a currency for a credit wallet',
    ['Wallet history > - Query'],
  ],
  [
    'testing/tenant.test.ts',
    'get their status from setOrderStatus',
    [
      'Create order > - 200',
      'Create order > - After payment',
      'What the service does > - Creating product orders',
    ],
  ],
  ['testing/tenant.test.ts', 'are rejected for an unknown product', ['Create order > - Body']],
  [
    'testing/tenant.test.ts',
    'is created once and linked once',
    [
      'Consent set > | userId',
      'Consent set > | completedAt',
      'Consent set > | (none)',
      'Consent set > | created',
      'Consent set > | linked',
      'Onboarding consent, create > - 201',
      'Onboarding consent, link user > - 200',
      'What the service does > - Onboarding consent',
    ],
  ],
  [
    'testing/tenant.test.ts',
    'keeps the metadata',
    ['Consent set > Consent metadata keys', 'Consent set > Consent item'],
  ],
  [
    'testing/tenant.test.ts',
    'with the missing consents',
    [
      'Onboarding consent, create > - Body',
      'Onboarding consent, create > - Consent item',
      'Onboarding consent, create > - Policy rules',
      'Limits > | Consents per create',
    ],
  ],
  [
    'testing/tenant.test.ts',
    'has a code while a campaign is active',
    [
      'Referral code > - 200',
      'What the service does > - A referral code',
      'Referral code > A code is created',
    ],
  ],
  [
    'testing/tenant.test.ts',
    'update the given fields and keep the others',
    [
      'Webhook configuration > | active or inactive',
      'Update webhook > - Body',
      'Update webhook > - 200',
      'What the service does > - Management of webhook',
    ],
  ],
  [
    'testing/tenant.test.ts',
    'are limited to five, and can be deleted',
    ['Webhook configuration > | any', 'Delete webhook > - 200', 'Delete webhook > Permanent'],
  ],
  [
    'testing/tenant.test.ts',
    'show a key once, and mask it afterwards',
    [
      'Webhook configuration > | apiKey',
      'Rotate webhook signing key > - 200',
      'Rotate webhook signing key > The new key',
    ],
  ],
  [
    'testing/events.test.ts',
    'are not delivered to a paused or deleted webhook',
    [
      'Events > - Webhook deliveries',
      'Delete webhook > Permanent',
      'Delete webhook > Use is_active',
    ],
  ],
  ['testing/events.test.ts', 'are not created for a freeze', ['Events > - No other events']],
  [
    'testing/every-endpoint.test.ts',
    'responds 499 without a key and 498 to a wrong one',
    ['Authentication > | Client key', 'Authentication > | Client identifier'],
  ],
  [
    'testing/every-endpoint.test.ts',
    'responds 401 without the secret key',
    ['Authentication > | Secret key'],
  ],
  [
    'testing/every-endpoint.test.ts',
    'responds 401 without a valid access token',
    [
      'Authentication > | Bearer access token',
      'Authentication > - A missing client key',
      'Endpoints > Card, wallet, delegation',
    ],
  ],
  ['testing/every-status.test.ts', 'with a body of the documented form', ['Errors > Body shapes']],
  [
    'testing/events.test.ts',
    'are created when a card is activated, without a call of the test',
    ['Events > Event types named'],
  ],
  [
    'testing/events.test.ts',
    'are created for every change of the verification',
    ['Events > Event types named'],
  ],
  [
    'service/switches.test.ts',
    'pays only recipients that are allowed, where that is chosen',
    ['Internal wallet withdrawal > Some platforms'],
  ],
  [
    'service/switches.test.ts',
    'lets only verified users withdraw, where that is chosen',
    ['Internal wallet withdrawal > Some platforms'],
  ],
  [
    'testing/events.test.ts',
    'is signed with the new key after a rotation, and stops when the webhook is deleted',
    ['Rotate webhook signing key > The new key', 'Delete webhook > Permanent'],
  ],
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
    [
      'Wallet history > - 200',
      'Limits > | History page size',
      'Wallet history > A page with fewer',
    ],
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
    ['Endpoints > Conventions', 'Authentication > | US routing', 'Endpoints > Header `x-us-env`'],
  ],
  [
    'client/requests.test.ts',
    'sends exactly its credentials',
    [
      'Authentication > | Client key',
      'Authentication > | Client identifier',
      'Authentication > | Secret key',
      'Authentication > | Bearer access token',
      'Endpoints > Card, wallet, delegation',
    ],
  ],
  [
    'client/requests.test.ts',
    'is routed by query instead of by header',
    ['Delegation, step 3 (EVM) > Optional query', 'Delegation, step 1: get token > - Query'],
  ],
  [
    'client/requests.test.ts',
    'sends the request of the contract',
    [
      'Card status > No body',
      'Freeze and unfreeze > No body',
      'Rotate webhook signing key > No body',
      'Delete webhook > No body',
      'Onboarding consent, link user > Path',
      'Update webhook > Path',
      'Rotate webhook signing key > Path',
      'Delete webhook > Path',
    ],
  ],
  [
    'secrets/every-place.test.ts',
    'hold no secret that the client has or the call sent, in any place',
    ['PIN view token > The URL is sensitive'],
  ],
  [
    'client/promise.test.ts',
    'promises an empty object where no referral campaign is active',
    ['Referral code > - 200'],
  ],
];

/** Statements without a rule that a platform could follow, and why. */
export const NOT_CHECKED: readonly (readonly [reason: string, keys: string[]])[] = [
  [
    'an overview; each part has its own statements',
    [
      'Card and Wallet Platform API >',
      'What the service does > It provides',
      'What the service does > The service',
      'What the service does > - Ordering',
      'What the service does > - Identity',
    ],
  ],
  [
    'the contract says that it does not say it',
    [
      'Onboarding phase > Transitions between',
      'Delegation token > Transitions between',
      'Delegation, step 1: get token > Body of the 207',
      'PIN view token > Defaults of these',
      'PIN set token > Defaults of customCss',
      'Events > Complete list',
      'Errors > The message returned',
      'Limits > Minimum withdrawal',
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
      'Versioning > Deprecation',
    ],
  ],
  [
    'about the use, not about an exchange',
    ['Login > - Used as the second step', 'PIN view token > The URL is sensitive'],
  ],
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
    ['Limits > | Faucet confirmation polling'],
  ],
  [
    'every path of the declarations has it, which test/contract compares',
    ['Versioning > The version is'],
  ],
  ['about something that does not exist', ['Versioning > No version header']],
  [
    'the contract does not say which calls are refused without it: the mock refuses all with a token',
    ['Access session (login response) > | isLinked'],
  ],
];
