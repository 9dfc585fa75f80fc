import { choicesFrom } from '../testing/choices.js';
import type { MockPlatform } from '../testing/index.js';
import { restoreSnapshot } from './control/restore-snapshot.js';
import { fields, problemOf, TEXT } from './control/schema.js';
import { addUser, NEW_USER } from './control/user-actions.js';
import { seedDemo } from './demo-users.js';

/** The users that a sandbox starts with: a name, or the contents of a seed file. */
export type Seed = 'demo' | 'empty' | Readonly<Record<string, unknown>>;

const TENANT = fields({ name: TEXT, clientKey: TEXT, clientId: TEXT, secretKey: TEXT }, 'name');
const SEED_FILE = fields({
  tenants: { type: 'array', items: TENANT },
  users: { type: 'array', items: NEW_USER },
  choices: { type: 'object' },
});

/** The fields of a seed file after its check. */
type SeedFile = {
  tenants?: ({ name: string } & Record<string, string>)[];
  users?: Record<string, unknown>[];
  choices?: Record<string, never>;
};

/**
 * Adds the users of a seed to an empty platform.
 *
 * @throws Error that says which field of a seed file is not valid
 */
export function applySeed(platform: MockPlatform, seed: Seed): void {
  if (seed === 'empty') return;
  if (seed === 'demo') seedDemo(platform);
  else if ('state' in seed) restoreSnapshot(platform, seed);
  else applyFile(platform, seed);
}

function applyFile(platform: MockPlatform, seed: Readonly<Record<string, unknown>>): void {
  const problem = problemOf(SEED_FILE, seed);
  if (problem !== undefined) throw new Error(problem);
  const { tenants = [], users = [], choices = {} }: SeedFile = seed;
  platform.state.choices = choicesFrom({ ...platform.state.choices, ...choices });
  for (const { name, ...credentials } of tenants) platform.tenants.add(name, credentials);
  for (const user of users) addUser(platform, user);
}
