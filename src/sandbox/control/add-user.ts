import type { MockPlatform, MockUser, NewUser } from '../../testing/index.js';
import { problemOf } from './schema.js';
import { NEW_USER } from './user-schema.js';

/**
 * Adds a user from JSON.
 *
 * @throws Error that names the field that is not valid, and for a user that exists
 */
export function addUser(platform: MockPlatform, given: Record<string, unknown>): MockUser {
  const problem = problemOf(NEW_USER, given);
  if (problem !== undefined) throw new Error(problem);
  // The schema has checked what matters; the platform refuses unknown names.
  const user: NewUser = given;
  const { id, email, environment = 'global', tenant = platform.state.tenants[0]?.name } = user;
  const isTaken = platform.state.users.some(
    (other) =>
      other.id === id ||
      (other.email === email && other.environment === environment && other.tenant === tenant),
  );
  if (isTaken) throw new Error('there is a user with this id or e-mail address already');
  return platform.users.add(user);
}
