import { ACCESS_TOKEN_LIFETIME_MS } from '../contract/formats/token-lifetimes.js';
import type { MockClock } from './clock.js';
import type { Identifiers } from './identifiers.js';
import type { MockState } from './state.js';

type SessionStore = { state: MockState; clock: MockClock; ids: Identifiers };

/** Creates a session for a user and returns its access token. */
export function createSession({ state, clock, ids }: SessionStore, { id }: { id: string }): string {
  const accessToken = `access_${ids.hex(40)}`;
  const expiresAt = clock.now() + ACCESS_TOKEN_LIFETIME_MS;
  state.sessions.push({ accessToken, userId: id, expiresAt });
  return accessToken;
}
