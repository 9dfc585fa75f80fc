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
import { failureOf, isError, same } from './expect.mjs';

/** A platform with one user, and the client of that user. */
function scene({ user = { card: 'ACTIVE' }, options = {} } = {}) {
  const mock = createMockPlatform();
  const added = mock.users.add(user);
  const { clientKey, clientId } = mock.credentials;
  const client = new CardPlatformClient({
    ...{ baseUrl: mock.baseUrl, fetch: mock.fetch, clientKey, clientId },
    ...options,
  });
  return { mock, user: added, client, own: client.withAccessToken(mock.accessTokenFor(added)) };
}

/** The client against the platform in memory. */
export const inMemory = {
  'logs in, reads the card, freezes it': async () => {
    const { mock, user, client } = scene();
    const { email, password } = user;
    const session = await client.auth.login({ email, password });
    const own = client.withAccessToken(session.accessToken);
    same((await own.card.status()).status, 'ACTIVE');
    await own.card.freeze();
    same((await own.card.status()).status, 'FROZEN');
    same(mock.users.get(user.id).card?.status, 'FROZEN');
  },

  'maps a documented refusal': async () => {
    const { own } = scene({ user: {} });
    const error = await failureOf(own.card.status());
    isError(error, NotFoundError, { status: 404, code: 'card_not_found', outcome: 'rejected' });
    same([isApiError(error, 'card_not_found'), isCardPlatformError(error)], [true, true]);
  },

  'reads 498 and 401 as their own errors': async () => {
    const { client } = scene({ options: { clientKey: 'another-key' } });
    const login = client.auth.login({ email: 'ada@example.com', password: 'secret' });
    isError(await failureOf(login), InvalidClientKeyError, { status: 498 });
    const { client: known } = scene();
    const status = known.withAccessToken('no-such-token').card.status();
    isError(await failureOf(status), AuthenticationError, { status: 401 });
  },

  'ends a call whose time runs out': async () => {
    const { mock, own } = scene();
    mock.setLatency(5_000);
    const call = own.card.status({ timeout: 30, retry: false });
    isError(await failureOf(call), TimeoutError, { phase: 'headers', timeoutMs: 30 });
  },

  'ends with the reason of its signal': async () => {
    const { mock, own } = scene();
    mock.setLatency(5_000);
    const controller = new AbortController();
    const reason = new Error('the user left');
    setTimeout(() => controller.abort(reason), 10);
    const failure = await failureOf(own.card.freeze({ signal: controller.signal }));
    if (failure !== reason) throw new Error(`not the reason but ${String(failure)}`);
  },

  'sends nothing that is not valid': async () => {
    const { mock, own } = scene();
    const error = await failureOf(own.wallets.credit.withdraw({ amount: 5 }));
    isError(error, RequestValidationError, { outcome: 'not_sent' });
    same(error.issues[0].path, 'amount');
    same(mock.requests.length, 0, 'requests');
  },

  'takes 207 for an answer when the faucet declines': async () => {
    const { own } = scene({ user: { faucet: 'declined' } });
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const input = { faucet: true, address, network: 'linea' };
    const { data, status } = await own.delegation.getToken(input).withResponse();
    same([status, data.faucetOutcome, typeof data.token], [207, 'failed', 'string']);
  },

  'does not know what a dropped withdrawal did, and does not repeat it': async () => {
    const { mock, own } = scene();
    mock.drop('wallets.credit.withdraw', 'after-processing', { times: 9 });
    const error = await failureOf(own.wallets.credit.withdraw({ amount: '1' }));
    same([error.outcome, error.attempts, mock.requests.length], ['unknown', 1, 1]);
  },

  'repeats a read that was dropped': async () => {
    const { mock, own } = scene({ options: { retry: { baseDelay: 1, maxDelay: 2 } } });
    mock.drop('card.status', 'before-processing', { times: 2 });
    same((await own.card.status()).status, 'ACTIVE');
    same(mock.requests.length, 3, 'requests');
  },

  'refuses a secret key where pages can read it': async ({ isBrowser }) => {
    const make = () => scene({ options: { secretKey: 'secret' } });
    if (!isBrowser) return void make();
    isError(await failureOf(make), ConfigurationError, { option: 'secretKey' });
  },
};
