import type { MockUser } from '../../src/testing/state.js';
import type { Random } from '../engine/random.js';
import { operationOf } from '../world/operations.js';
import type { World } from '../world/world.js';
import { runServer, type Wish } from './server.js';

const OFFICES = 10;
/**
 * So many that most of them freeze a card only once or twice: where the journal knows of several such
 * requests, it leaves all of them undecided.
 */
const USERS = 60;
const FREEZE = operationOf('card.freeze');
const UNFREEZE = operationOf('card.unfreeze');
const CREATE_WEBHOOK = operationOf('webhooks.create');

/** Unfreezes a card right after it was frozen, while reads may still show what was before both. */
function regret(user: MockUser, random: Random): readonly Wish[] {
  return [
    { user, operation: FREEZE, delay: 0 },
    { user, operation: UNFREEZE, delay: random.between(100, 10_000) },
  ];
}

/** Two users create the same webhook, neither knowing of the other. */
function createTwice(users: readonly MockUser[], random: Random): readonly Wish[] {
  return [0, random.between(0, 180_000)].map((delay) => {
    return { user: random.pick(users), operation: CREATE_WEBHOOK, delay };
  });
}

/**
 * Tenants with a server of two processes each, whose users do the same, or the opposite, within a
 * short time: one request is easily taken for the other.
 */
export function startOffices(world: World): void {
  const { mock, ledger } = world;
  for (let index = 0; index < OFFICES; index++) {
    const name = `office-${index}`;
    const { name: tenant, ...credentials } = mock.tenants.add(name);
    const users = Array.from({ length: USERS }, (_, user) =>
      mock.users.add({ tenant, card: 'ACTIVE', password: `${name}-password-${user}` }),
    );
    ledger.secrets.add(credentials.clientKey, 'client key');
    ledger.secrets.add(credentials.clientId, 'client id');
    ledger.secrets.add(credentials.secretKey, 'secret key');
    runServer(world, name, {
      users,
      credentials,
      meanMinutes: 27,
      wish: (random) =>
        random.chance(0.1) ? createTwice(users, random) : regret(random.pick(users), random),
    });
  }
}
