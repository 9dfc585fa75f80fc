import { call, defineEndpoint, isApiError, type Sender } from '../../endpoints/index.js';
import type { Region } from './session-tokens.js';

/** A read that needs no user. Only whether a response comes counts. */
const reachService = /* @__PURE__ */ defineEndpoint({
  id: 'auth.oauth.check',
  method: 'GET',
  path: '/v1/auth/settings',
  credentials: ['clientKey'],
  retry: 'safe',
});

/**
 * Whether a failed request of this runtime proves nothing: its `fetch` reports a missing network and
 * a lost response alike. Pages, workers of pages and React Native name their product; servers do not.
 */
export function hidesConnections(): boolean {
  const runtime: { navigator?: { product?: unknown } } = globalThis as object;
  return runtime.navigator?.product !== undefined;
}

/**
 * Sends a harmless read, and throws its error if the service does not respond to it: then a refresh
 * token that is not sent is not lost.
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
