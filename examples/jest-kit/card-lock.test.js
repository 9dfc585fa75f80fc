const { CardPlatformClient } = require('card-platform-sdk');
const { createMockPlatform } = require('card-platform-sdk/testing');
const { lock, unlock } = require('./card-lock.js');

// A partner's test with Jest and CommonJS, against the platform in memory: nothing is patched and
// nothing is transformed. `npm run test:consumers -- jest-kit` installs the packed package and runs
// it; in a project of yours it is `npx jest`.
const mock = createMockPlatform();
afterEach(() => mock.reset());

function setScene(card) {
  const ada = mock.users.add({ card });
  const user = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(ada),
  });
  return { user, cardNow: () => mock.users.get(ada.id).card.status };
}

test('a lost card is locked', async () => {
  const { user, cardNow } = setScene('ACTIVE');
  expect(await lock(user)).toBe('locked');
  expect(cardNow()).toBe('FROZEN');
  expect(mock.requests.only({ operation: 'card.freeze' }).status).toBe(200);
});

test('locking is repeated when the answer is lost', async () => {
  const { user, cardNow } = setScene('ACTIVE');
  mock.drop('card.freeze', 'after-processing');
  expect(await lock(user)).toBe('locked, on the second try');
  expect(cardNow()).toBe('FROZEN');
  expect(mock.requests.matching({ operation: 'card.freeze' })).toHaveLength(2);
});

test.each([
  ['after-processing', 'unlocked'],
  ['before-processing', 'still locked'],
])('unlocking is not: lost %s', async (moment, shown) => {
  const { user } = setScene('FROZEN');
  mock.drop('card.unfreeze', moment);
  expect(await unlock(user)).toBe(shown);
  expect(mock.requests.only({ operation: 'card.unfreeze' }).status).toBeUndefined();
});

test('a session ends after six hours', async () => {
  const { user, cardNow } = setScene('ACTIVE');
  mock.advance('6 hours');
  expect(await lock(user)).toBe('log in again');
  expect(cardNow()).toBe('ACTIVE');
});

test('a failure of the service is not hidden', async () => {
  const { user } = setScene('FROZEN');
  mock.fail('card.unfreeze', 403);
  await expect(unlock(user)).rejects.toMatchObject({ code: 'not_authorized', outcome: 'rejected' });
});
