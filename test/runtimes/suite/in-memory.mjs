import {
  AuthenticationError,
  CardPlatformClient,
  ConfigurationError,
  InvalidClientKeyError,
  isApiError,
  isCardPlatformError,
  NotFoundError,
  RequestValidationError,
  TimeoutError,
} from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { expectAborted, expectError, expectSame, failureOf } from './expect.mjs';

/** Creates a mock platform with one user, and clients with and without that user. */
function setUp({ user = { card: 'ACTIVE' }, options = {} } = {}) {
  const mock = createMockPlatform();
  const added = mock.users.add(user);
  const { clientKey, clientId } = mock.credentials;
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    clientKey,
    clientId,
    ...options,
  });
  return { mock, user: added, client, own: client.withAccessToken(mock.accessTokenFor(added)) };
}

/** Checks of the client with the mock platform. */
export const inMemory = {
  'logs in, reads the card and freezes it': async () => {
    const { mock, user, client } = setUp();
    const { email, password } = user;
    const session = await client.auth.login({ email, password });
    const own = client.withAccessToken(session.accessToken);
    expectSame((await own.card.status()).status, 'ACTIVE');
    await own.card.freeze();
    expectSame((await own.card.status()).status, 'FROZEN');
    expectSame(mock.users.get(user.id).card?.status, 'FROZEN');
  },

  'maps a documented error response': async () => {
    const { own } = setUp({ user: {} });
    const error = await failureOf(own.card.status());
    expectError(error, NotFoundError, { status: 404, code: 'card_not_found', outcome: 'rejected' });
    expectSame([isApiError(error, 'card_not_found'), isCardPlatformError(error)], [true, true]);
  },

  'throws separate error classes for 498 and 401': async () => {
    const { client } = setUp({ options: { clientKey: 'another-key' } });
    const login = client.auth.login({ email: 'ada@example.com', password: 'secret' });
    expectError(await failureOf(login), InvalidClientKeyError, { status: 498 });
    const { client: known } = setUp();
    const status = known.withAccessToken('no-such-token').card.status();
    expectError(await failureOf(status), AuthenticationError, { status: 401 });
  },

  'ends a call after its timeout': async () => {
    const { mock, own } = setUp();
    mock.setLatency(5_000);
    const call = own.card.status({ timeout: 30, retry: false });
    expectError(await failureOf(call), TimeoutError, { phase: 'headers', timeoutMs: 30 });
  },

  'rejects with the reason of an aborted signal': async (options) => {
    const { mock, own } = setUp();
    mock.setLatency(5_000);
    const controller = new AbortController();
    const reason = new Error('the user left');
    setTimeout(() => controller.abort(reason), 10);
    const failure = await failureOf(own.card.freeze({ signal: controller.signal }));
    expectAborted(failure, reason, options);
  },

  'does not send invalid input': async () => {
    const { mock, own } = setUp();
    const error = await failureOf(own.wallets.credit.withdraw({ amount: 5 }));
    expectError(error, RequestValidationError, { outcome: 'not_sent' });
    expectSame(error.issues[0].path, 'amount');
    expectSame(mock.requests.length, 0, 'requests');
  },

  'returns a token with status 207 when the faucet declines': async () => {
    const { own } = setUp({ user: { faucet: 'declined' } });
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const input = { faucet: true, address, network: 'linea' };
    const { data, status } = await own.delegation.getToken(input).withResponse();
    expectSame([status, data.faucetOutcome, typeof data.token], [207, 'failed', 'string']);
  },

  'reports an unknown outcome for a dropped withdrawal and does not retry it': async () => {
    const { mock, own } = setUp();
    mock.drop('wallets.credit.withdraw', 'after-processing', { times: 9 });
    const error = await failureOf(own.wallets.credit.withdraw({ amount: '1' }));
    expectSame([error.outcome, error.attempts, mock.requests.length], ['unknown', 1, 1]);
  },

  'retries a dropped read': async () => {
    const { mock, own } = setUp({ options: { retry: { baseDelay: 1, maxDelay: 2 } } });
    mock.drop('card.status', 'before-processing', { times: 2 });
    expectSame((await own.card.status()).status, 'ACTIVE');
    expectSame(mock.requests.length, 3, 'requests');
  },

  'rejects a secret key in a browser only': async ({ isBrowser }) => {
    const make = () => setUp({ options: { secretKey: 'secret' } });
    if (!isBrowser) return void make();
    expectError(await failureOf(make), ConfigurationError, { option: 'secretKey' });
  },
};
