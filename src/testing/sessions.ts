import { ACCESS_TOKEN_LIFETIME_MS } from '../contract/formats/token-lifetimes.js';
import type { MockCall } from './behaviour.js';

/** Creates a session for a user and returns its access token. */
export function createSession(
  { state, clock, ids }: Pick<MockCall, 'state' | 'clock' | 'ids'>,
  { id }: { id: string },
): string {
  const accessToken = `access_${ids.hex(40)}`;
  const expiresAt = clock.now() + ACCESS_TOKEN_LIFETIME_MS;
  state.sessions.push({ accessToken, userId: id, expiresAt });
  return accessToken;
}
