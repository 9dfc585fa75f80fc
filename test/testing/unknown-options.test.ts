import { describe, expect, it } from 'vitest';
import { createMockPlatform, type MockPlatform } from '../../src/testing/index.js';
import { createMockEvmWallet, createMockWallet } from '../../src/testing/wallets/index.js';

/** Calls of public methods with an option that does not exist, as JavaScript allows. */
const CALLS: readonly [
  name: string,
  call: (mock: MockPlatform, options: never) => unknown,
  wrong: string,
  nearest: string,
][] = [
  ['createMockPlatform', (_, options) => createMockPlatform(options), 'baseURL', 'baseUrl'],
  [
    'createMockPlatform',
    (_, options) => createMockPlatform(options),
    'apiKey',
    'credentials.clientKey',
  ],
  ['createMockPlatform', (_, options) => createMockPlatform(options), 'now', 'startsAt'],
  [
    'createMockEvmWallet',
    (_, options) => createMockEvmWallet(options),
    'isConected',
    'isConnected',
  ],
  ['createMockEvmWallet', (_, options) => createMockEvmWallet(options), 'chain', 'network'],
  [
    'credentials of createMockPlatform',
    (_, credentials) => createMockPlatform({ credentials }),
    'clientkey',
    'clientKey',
  ],
  [
    'choices of createMockPlatform',
    (_, choices) => createMockPlatform({ choices }),
    'otpRequiredState',
    'otpRequiredStatus',
  ],
  ['fail', (mock, options) => mock.fail('card.freeze', 500, options), 'time', 'times'],
  [
    'the failure of fail',
    (mock, failure) => mock.fail('card.freeze', failure),
    'isUndocument',
    'isUndocumented',
  ],
  ['drop', (mock, options) => mock.drop('card.freeze', 'refused', options), 'nht', 'nth'],
  ['hold', (mock, options) => mock.hold('card.freeze', options), 'moments', 'moment'],
  [
    'serve',
    (mock, options) => mock.serve('GET', '/v1/a', () => ({}), options),
    'creds',
    'credentials',
  ],
  ['users.add', (mock, options) => mock.users.add(options), 'otpEnable', 'otpEnabled'],
  [
    'wallets of users.add',
    (mock, wallet) => mock.users.add({ wallets: [wallet] }),
    'linked',
    'isLinked',
  ],
  [
    'externalWallets of users.add',
    (mock, wallet) => mock.users.add({ externalWallets: [wallet] }),
    'allowence',
    'allowance',
  ],
  ['referral of users.add', (mock, referral) => mock.users.add({ referral }), 'use', 'used'],
  [
    'tenants.add',
    (mock, credentials) => mock.tenants.add('acme', credentials),
    'clientID',
    'clientId',
  ],
  [
    'cards.pay',
    (mock, payment) => mock.cards.pay(mock.users.add({ card: 'ACTIVE' }), payment),
    'amounts',
    'amount',
  ],
  [
    'addTransactions',
    (mock, entry) => mock.addTransactions(mock.users.add(), 'wallet-1', [entry]),
    'amout',
    'amount',
  ],
  [
    'verifyProofs',
    (mock, verifiers) => mock.verifyProofs(verifiers),
    'verifyEVMProof',
    'verifyEvmProof',
  ],
  [
    'requests.matching',
    (mock, pattern) => mock.requests.matching(pattern),
    'operations',
    'operation',
  ],
  ['requests.only', (mock, pattern) => mock.requests.only(pattern), 'user', 'userId'],
];

describe('an option that does not exist', () => {
  it.each(
    CALLS,
  )('is refused by %s, which names it and the nearest one', (_name, call, wrong, nearest) => {
    expect(() => call(createMockPlatform(), { [wrong]: 1 } as never)).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        message: expect.stringMatching(
          new RegExp(`${wrong} is not a known option. Did you mean ${nearest}\\?`),
        ),
      }),
    );
  });

  it.each([
    ['apiKey', 'Did you mean clientKey?'],
    ['baseURL', 'Did you mean baseUrl?'],
    ['maxRetries', 'Did you mean retry.maxRetries?'],
    ['settleTime', 'Pass settleTime to reconcile or recover of the journal.'],
    ['idempotencyKey', 'The service has no idempotency key.'],
  ])('of clientFor is refused as by a client: %s', (name, advice) => {
    const mock = createMockPlatform();
    expect(() => mock.clientFor(mock.users.add(), { [name]: 1 } as never)).toThrow(
      `${name} is not a known option. ${advice}`,
    );
  });

  it.each([
    'ada@example.com',
    undefined,
    null,
    7,
    {},
  ])('clientFor refuses %j, which is not a user', (of) => {
    const mock = createMockPlatform();
    mock.users.add({ email: 'ada@example.com' });
    expect(() => mock.clientFor(of as never)).toThrow(
      new TypeError(
        'clientFor: pass a user: what users.add returned, or mock.users.get(idOrEmail)',
      ),
    );
  });

  it('is refused by createMockWallet', async () => {
    await expect(createMockWallet({ netwrok: 'linea' } as never)).rejects.toThrow(
      'createMockWallet: netwrok is not a known option. Did you mean network?',
    );
  });

  it('is listed with the others where none is near', () => {
    expect(() => createMockPlatform().fail('card.freeze', 500, { colour: 1 } as never)).toThrow(
      'The options are body, headers, isCutOff, moment, nth, times, user, when.',
    );
  });

  it.each(['event', 'options'] as const)('is refused in the %s of deliver', async (which) => {
    const mock = createMockPlatform();
    const delivering =
      which === 'event'
        ? mock.deliver({ type: 'card.activated', payload: {} } as never)
        : mock.deliver({ type: 'card.activated' }, { too: 'http://127.0.0.1' } as never);
    await expect(delivering).rejects.toThrow(/(payload|too) is not a known option/);
  });

  it.each([
    'creditWallet',
    'internalWallets',
  ])('is refused by users.add for %s, which other options set', (name) => {
    expect(() => createMockPlatform().users.add({ [name]: [] } as object)).toThrow(
      `${name} is not a known option`,
    );
  });

  it.each([null, 5, 'x', true])('is refused when the options are %s', (options) => {
    const mock = createMockPlatform();
    expect(() => mock.fail('card.freeze', 500, options as never)).toThrow(/must be an object/);
  });
});

describe('a value that does not exist', () => {
  it.each([
    ['verificationState', { verificationState: 'VERIFED' }, 'VERIFIED'],
    ['card', { card: 'ACTVE' }, 'ACTIVE'],
    ['environment', { environment: 'globl' }, 'global'],
    ['faucet', { faucet: 'declind' }, 'declined'],
  ])('is refused by users.add for %s, which names the nearest one', (name, user, nearest) => {
    expect(() => createMockPlatform().users.add(user as object)).toThrow(
      new RegExp(`${name} must be one of .*The nearest is "${nearest}"`),
    );
  });

  it.each([
    ['otpRequiredStatus', { otpRequiredStatus: 500 }, 'one of 400, 200'],
    ['otpRejectedStatus', { otpRejectedStatus: '400' }, 'one of 400, 401, 200'],
    ['loginRejectedStatus', { loginRejectedStatus: 422 }, 'one of 400, 401, 403'],
    ['notVerifiedStatus', { notVerifiedStatus: 401 }, 'one of 400, 403'],
    ['creditBalance', { creditBalance: 100 }, 'a decimal string'],
    ['creditBalance', { creditBalance: '-5' }, 'a decimal string'],
    ['balance', { wallets: [{ balance: '50,5' }] }, 'a decimal string'],
    ['balance', { externalWallets: [{ balance: '1e3' }] }, 'a decimal string'],
    ['allowance', { externalWallets: [{ allowance: 20 }] }, 'a decimal string'],
    ['isLinked', { wallets: [{ isLinked: 'yes' }] }, 'true or false'],
    ['verified', { verified: 'no' }, 'true or false'],
    ['locked', { locked: 1 }, 'true or false'],
    ['otpEnabled', { otpEnabled: 'false' }, 'true or false'],
    ['isDisabled', { isDisabled: 0 }, 'true or false'],
    ['isLinked', { isLinked: null }, 'true or false'],
    ['isFaucetUsed', { isFaucetUsed: '' }, 'true or false'],
    ['hasCreditWallet', { hasCreditWallet: 'no' }, 'true or false'],
    ['email', { email: 5 }, 'a non-empty string'],
    ['password', { password: '' }, 'a non-empty string'],
    ['id', { id: null }, 'a non-empty string'],
  ])('is refused by users.add for %s: %j', (name, user, rule) => {
    const mock = createMockPlatform();
    expect(() => mock.users.add(user as object)).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        message: expect.stringMatching(new RegExp(`${name} must be ${rule}`)),
      }),
    );
    expect(mock.users.size).toBe(0);
  });

  it.each([
    ['baseUrl', 'nonsense', 'an http or https URL'],
    ['baseUrl', 'https://api.example.com?a=b', 'an http or https URL'],
    ['baseUrl', 'https://api.example.com/#a', 'an http or https URL'],
    ['baseUrl', '', 'an http or https URL'],
    ['clientKey', { clientKey: 5 }, 'a non-empty string'],
    ['secretKey', { secretKey: '' }, 'a non-empty string'],
    ['verifyEvmProof', {}, 'a function'],
    ['verifySolanaProof', true, 'a function'],
    ['webhookFetch', 'https://hooks.example.com', 'a function'],
    ['webhookTime', 5, 'a function'],
  ])('is refused by createMockPlatform for %s: %j', (name, value, rule) => {
    const option = name.endsWith('Key') ? 'credentials' : name;
    expect(() => createMockPlatform({ [option]: value })).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        message: expect.stringContaining(`${name} must be ${rule}`),
      }),
    );
  });

  it('is refused by tenants.add and verifyProofs', () => {
    const mock = createMockPlatform();
    expect(() => mock.tenants.add('acme', { clientKey: 5 as never })).toThrow(
      'clientKey must be a non-empty string',
    );
    expect(() => mock.verifyProofs({ verifyEvmProof: {} as never })).toThrow(
      'verifyEvmProof must be a function',
    );
  });

  it('is the default where it is undefined', () => {
    const mock = createMockPlatform({ credentials: { clientKey: undefined as never } });
    expect(mock.credentials.clientKey).toBe('mock-client-key');
    const user = mock.users.add({ email: undefined, otpEnabled: undefined } as object);
    expect(user).toMatchObject({ email: 'user-1@example.com', otpEnabled: false });
  });

  it('is refused as the result of completeVerification', () => {
    const mock = createMockPlatform();
    const ada = mock.users.add();
    expect(() => mock.completeVerification(ada, 'verified' as 'VERIFIED')).toThrow(
      /result must be one of VERIFIED, REJECTED/,
    );
  });

  it('is refused as an endpoint of a fault, which names the nearest one', () => {
    const mock = createMockPlatform();
    expect(() => mock.hold('card.freez' as never)).toThrow(/The nearest is "card.freeze"/);
    expect(() => mock.drop(undefined as never, 'refused')).toThrow(/is not an endpoint id/);
    expect(() =>
      createMockPlatform({ endpointCredentials: { 'card.freez': [] } as never }),
    ).toThrow(/The nearest is "card.freeze"/);
  });
});

describe('a user that exists already', () => {
  const ada = { id: 'ada', email: 'ada@example.com' };

  it.each([
    ['e-mail address', { email: ada.email }],
    ['id', { id: ada.id, email: 'other@example.com', environment: 'us' }],
  ] as const)('is refused by users.add for its %s', (_, again) => {
    const mock = createMockPlatform();
    mock.users.add(ada);
    expect(() => mock.users.add(again)).toThrow('there is a user with this id or e-mail address');
    expect(mock.users.size).toBe(1);
  });

  it('may have a namesake in the other environment, and at another tenant', () => {
    const mock = createMockPlatform();
    const { name: tenant } = mock.tenants.add('acme');
    mock.users.add(ada);
    mock.users.add({ email: ada.email, environment: 'us' });
    mock.users.add({ email: ada.email, tenant });
    expect(mock.users.size).toBe(3);
  });

  it('does not stop users without an e-mail address, who get one that nobody has', () => {
    const mock = createMockPlatform();
    mock.users.add({ email: 'user-2@example.com' });
    expect([mock.users.add().email, mock.users.add().email]).toEqual([
      'user-3@example.com',
      'user-4@example.com',
    ]);
  });
});
