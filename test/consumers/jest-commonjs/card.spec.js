const { CardPlatformClient, NotFoundError, isCardPlatformError } = require('card-platform-sdk');
const { createMockPlatform } = require('card-platform-sdk/testing');
const { orderCard } = require('./card.js');

const platform = createMockPlatform();
beforeEach(() => platform.reset());

function signIn(user) {
  const { baseUrl, fetch, credentials } = platform;
  const client = new CardPlatformClient({ baseUrl, fetch, ...credentials });
  return client.withAccessToken(platform.accessTokenFor(user));
}

test('orderCard orders a card and waits until it is active', async () => {
  const ada = platform.users.add();
  const card = await orderCard(signIn(ada), {
    interval: 1,
    onProgress: () => platform.cards.provision(ada),
  });
  expect(card.status).toBe('ACTIVE');
  expect(platform.requests.matching({ operation: 'card.order' })).toHaveLength(1);
});

test('orderCard returns the existing card of a user', async () => {
  const ada = platform.users.add({ card: 'ACTIVE' });
  expect((await orderCard(signIn(ada))).id).toBe(platform.users.get(ada.id).card.id);
});

test('errors are instances of the exported classes in CommonJS', async () => {
  const error = await signIn(platform.users.add())
    .card.status()
    .catch((e) => e);
  expect(error).toBeInstanceOf(NotFoundError);
  expect(isCardPlatformError(error)).toBe(true);
});

test('the client uses a global fetch that jest replaced', async () => {
  const ada = platform.users.add({ card: 'ACTIVE' });
  const spy = jest.spyOn(globalThis, 'fetch').mockImplementation(platform.fetch);
  const { baseUrl, credentials } = platform;
  const accessToken = platform.accessTokenFor(ada);
  const client = new CardPlatformClient({ baseUrl, ...credentials, accessToken });
  expect((await client.card.status()).status).toBe('ACTIVE');
  expect(spy).toHaveBeenCalledTimes(1);
  spy.mockRestore();
});
