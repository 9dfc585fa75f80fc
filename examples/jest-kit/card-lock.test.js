const { CardPlatformClient } = require('card-platform-sdk');
const { createMockPlatform } = require('card-platform-sdk/testing');
const { lock, unlock } = require('./card-lock.js');

// A partner's test with Jest and CommonJS, against the mock platform. Nothing is patched or
// transformed. `npm run test:consumers -- jest-kit` installs the packed package and runs it; in your
// project, run `npx jest`.
const mock = createMockPlatform();
afterEach(() => mock.reset());

function setUpUser(card) {
  const ada = mock.users.add({ card });
  const user = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(ada),
  });
  return { user, currentStatus: () => mock.users.get(ada.id).card.status };
}

test('locking a card freezes it', async () => {
  const { user, currentStatus } = setUpUser('ACTIVE');
  expect(await lock(user)).toBe('locked');
  expect(currentStatus()).toBe('FROZEN');
  expect(mock.requests.only({ operation: 'card.freeze' }).status).toBe(200);
});

test('locking is retried when the response is lost', async () => {
  const { user, currentStatus } = setUpUser('ACTIVE');
  mock.drop('card.freeze', 'after-processing');
  expect(await lock(user)).toBe('locked on the second try');
  expect(currentStatus()).toBe('FROZEN');
  expect(mock.requests.matching({ operation: 'card.freeze' })).toHaveLength(2);
});

test.each([
  ['after-processing', 'unlocked'],
  ['before-processing', 'still locked'],
])('unlocking is sent once when the connection drops %s', async (moment, shown) => {
  const { user } = setUpUser('FROZEN');
  mock.drop('card.unfreeze', moment);
  expect(await unlock(user)).toBe(shown);
  expect(mock.requests.only({ operation: 'card.unfreeze' }).status).toBeUndefined();
});

test('locking asks for a new login after six hours', async () => {
  const { user, currentStatus } = setUpUser('ACTIVE');
  mock.advance('6 hours');
  expect(await lock(user)).toBe('log in again');
  expect(currentStatus()).toBe('ACTIVE');
});

test('unlocking throws when the service responds 403', async () => {
  const { user } = setUpUser('FROZEN');
  mock.fail('card.unfreeze', 403);
  await expect(unlock(user)).rejects.toMatchObject({ code: 'not_authorized', outcome: 'rejected' });
});
