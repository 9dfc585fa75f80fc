import { choicesFrom } from '../testing/choices.js';
import type { MockPlatform, MockPlatformOptions } from '../testing/index.js';
import { CREDENTIAL_NAMES } from '../testing/tenants.js';
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

/** What the command line chooses. It takes precedence over a seed. */
type Chosen = Pick<MockPlatformOptions, 'choices' | 'credentials'>;

/**
 * Adds the users of a seed to an empty platform.
 *
 * @throws Error that says which field of a seed file is not valid
 */
export function applySeed(platform: MockPlatform, seed: Seed, chosen: Chosen = {}): void {
  if (seed === 'empty') return;
  if (seed === 'demo') seedDemo(platform);
  else if ('state' in seed) restoreSnapshot(platform, seed);
  else applyFile(platform, seed);
  applyChosen(platform, chosen);
}

function applyChosen({ state }: MockPlatform, { choices, credentials = {} }: Chosen): void {
  const [first, ...others] = state.tenants;
  const taken = CREDENTIAL_NAMES.find((name) =>
    others.some((other) => other[name] === credentials[name]),
  );
  if (taken !== undefined) throw new Error(`another tenant has this ${taken}`);
  Object.assign(Object(first), credentials);
  Object.assign(state.choices, choices);
}

function applyFile(platform: MockPlatform, seed: Readonly<Record<string, unknown>>): void {
  const problem = problemOf(SEED_FILE, seed);
  if (problem !== undefined) throw new Error(problem);
  const { tenants = [], users = [], choices = {} }: SeedFile = seed;
  platform.state.choices = choicesFrom({ ...platform.state.choices, ...choices });
  for (const { name, ...credentials } of tenants) platform.tenants.add(name, credentials);
  for (const user of users) addUser(platform, user);
}
