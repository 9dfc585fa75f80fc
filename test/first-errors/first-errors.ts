import { CardPlatformClient, type ClientOptions, verifyWebhook } from '../../src/index.js';
import { createJournal } from '../../src/journal/index.js';
import { memoryStore } from '../../src/stores/index.js';
import { createMockPlatform, type MockPlatform } from '../../src/testing/index.js';

/** What a first program has at hand. */
type Start = {
  readonly mock: MockPlatform;
  /** A user with an active card and 100 USDC. */
  readonly ada: ReturnType<MockPlatform['users']['add']>;
  /** A client without a user. */
  readonly client: CardPlatformClient;
  /** A client of Ada. */
  readonly userClient: CardPlatformClient;
};

/** A mistake or a mishap of the first hour, and the code that meets it. */
type FirstError = readonly [title: string, run: (start: Start) => unknown];

const create = (options: object) => new CardPlatformClient(options as ClientOptions);
const BASE_URL = 'https://api.example.com';
const EVM_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const WITHDRAWAL = { amount: '5', currency: 'usdc', recipientAddress: EVM_ADDRESS } as const;

async function withdrawInternal({ userClient }: Start, input: object) {
  const [wallet] = await userClient.wallets.internal.list();
  const sourceAddress = wallet?.address ?? '';
  return userClient.wallets.internal.withdraw({ ...WITHDRAWAL, sourceAddress, ...input });
}

/** The errors that a new user is most likely to meet first, in the order of a first hour. */
export const FIRST_ERRORS: readonly FirstError[] = [
  ['no base URL', () => create({ clientKey: 'key' })],
  ['a base URL without a scheme', () => create({ baseUrl: 'api.example.com' })],
  ['an option of another SDK', () => create({ baseUrl: BASE_URL, apiKey: 'key' })],
  [
    'no client key',
    ({ mock: { baseUrl, fetch } }) =>
      create({ baseUrl, fetch }).auth.login({ email: 'ada@example.com', password: 'a' }),
  ],
  [
    'a client key that the service does not know',
    ({ mock, ada }) => mock.clientFor(ada, { clientKey: 'wrong' }).card.status(),
  ],
  ['a call for a user without a user', ({ client }) => client.card.status()],
  [
    'a wrong password',
    ({ client, ada }) => client.auth.login({ email: ada.email, password: 'guess' }),
  ],
  [
    'a login that needs a one-time password',
    ({ client, ada }) => {
      ada.otpEnabled = true;
      return client.auth.login({ email: ada.email, password: ada.password });
    },
  ],
  [
    'the token of a login that ends in onboarding',
    async ({ client, ada }) => {
      ada.phase = 'PHONE_NUMBER';
      const login = await client.auth.login({ email: ada.email, password: ada.password });
      return client.withAccessToken(login.accessToken as string);
    },
  ],
  [
    'a session that has ended',
    ({ mock, userClient }) => {
      mock.advance('7 hours');
      return userClient.card.status();
    },
  ],
  ['a user without a card', ({ mock }) => mock.clientFor(mock.users.add()).card.status()],
  [
    'a card for a user who is not verified',
    ({ mock }) => mock.clientFor(mock.users.add({ verified: false })).card.order(),
  ],
  ['a second card', ({ userClient }) => userClient.card.order()],
  [
    'a card that is frozen already',
    async ({ userClient }) => {
      await userClient.card.freeze();
      return userClient.card.freeze();
    },
  ],
  ['an amount with a comma', (start) => withdrawInternal(start, { amount: '1,5' })],
  [
    'an address with a mistyped letter',
    (start) => withdrawInternal(start, { recipientAddress: EVM_ADDRESS.replace('E', 'e') }),
  ],
  ['more money than there is', (start) => withdrawInternal(start, { amount: '1000' })],
  [
    'a withdrawal whose response is lost',
    (start) => {
      start.mock.drop('wallets.internal.withdraw');
      return withdrawInternal(start, {});
    },
  ],
  [
    'the same with a journal',
    (start) => {
      start.mock.drop('wallets.internal.withdraw');
      const journal = createJournal({ store: memoryStore() });
      return withdrawInternal(
        { ...start, userClient: start.mock.clientFor(start.ada, { journal }) },
        {},
      );
    },
  ],
  [
    'a login whose response is lost',
    ({ mock, client, ada }) => {
      mock.drop('auth.login');
      return client.auth.login({ email: ada.email, password: ada.password });
    },
  ],
  [
    'too many requests',
    (start) => {
      start.mock.fail('wallets.internal.withdraw', 429);
      return withdrawInternal(start, {});
    },
  ],
  [
    'a network that does not go with the currency',
    ({ userClient }) =>
      userClient.wallets.internal.create({ wallets: [{ network: 'solana', currency: 'xrp' }] }),
  ],
  [
    'a server that is not running',
    () =>
      create({
        baseUrl: 'http://127.0.0.1:1',
        clientKey: 'key',
        accessToken: 'token',
        retry: false,
      }).card.status(),
  ],
  [
    'another server than the service',
    () =>
      create({
        baseUrl: BASE_URL,
        clientKey: 'key',
        accessToken: 'token',
        fetch: async () =>
          new Response('<h1>It works</h1>', { headers: { 'content-type': 'text/html' } }),
      }).card.status(),
  ],
  [
    'a service that does not respond in time',
    ({ mock, userClient }) => {
      mock.fail('card.status', 503, { times: 10 });
      return userClient.card.status({ retry: false });
    },
  ],
  [
    'an endpoint that a mock platform does not have',
    ({ mock }) => mock.fetch(`${mock.baseUrl}/v1/cards`),
  ],
  ['a journal that the client does not have', ({ userClient }) => userClient.journal.pending()],
  [
    'a webhook with a wrong signing key',
    () =>
      verifyWebhook({
        body: '{"type":"card.activated"}',
        headers: { 'x-timestamp': '1767225600', 'x-signature': 'ab'.repeat(32) },
        keys: 'the key of another webhook',
        now: 1_767_225_600_000,
      }),
  ],
];

/** Runs one of {@link FIRST_ERRORS} to its error. */
export async function meet([title, run]: FirstError): Promise<unknown> {
  const mock = createMockPlatform();
  const ada = mock.users.add({
    card: 'ACTIVE',
    wallets: [{ network: 'linea', currency: 'usdc', balance: '50' }],
  });
  const { baseUrl, fetch, clock, credentials } = mock;
  const client = create({ baseUrl, fetch, clock, ...credentials });
  const start = { mock, ada, client, userClient: mock.clientFor(ada) };
  try {
    await run(start);
  } catch (error) {
    return error;
  }
  throw new Error(`${title}: no error`);
}
