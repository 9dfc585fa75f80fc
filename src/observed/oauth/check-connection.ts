import { call, defineEndpoint, isApiError, type Sender } from '../../endpoints/index.js';
import type { Region } from './session-tokens.js';

/** A read that needs no user. Its result is not used. */
const reachService = /* @__PURE__ */ defineEndpoint({
  id: 'auth.oauth.check',
  method: 'GET',
  path: '/v1/auth/settings',
  credentials: ['clientKey'],
  retry: 'safe',
});

/**
 * Whether a failed request of this runtime proves nothing: its `fetch` reports a missing network and
 * a lost response alike. Pages, their workers and React Native have `navigator.product`; servers do not.
 */
export function hidesConnections(): boolean {
  const runtime: { navigator?: { product?: unknown } } = globalThis as object;
  return runtime.navigator?.product !== undefined;
}

/**
 * Sends a harmless read, and throws its error if the service does not respond, or responds with a 5xx.
 * The refresh token is then not sent, so it is not lost.
 */
export async function checkConnection(
  client: Sender,
  request: { region: Region; signal: AbortSignal },
): Promise<void> {
  try {
    await call(client, reachService, {}, { ...request, timeout: 10_000, retry: false });
  } catch (error) {
    if (!isApiError(error) || error.status >= 500) throw error;
  }
}
