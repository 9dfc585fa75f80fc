import { call, defineEndpoint, isApiError, type Sender } from '../../endpoints/index.js';
import type { Region } from './session-tokens.js';

const TIMEOUT_MS = 10_000;

/** A read that needs no user. Only whether a response comes counts. */
const reachService = /* @__PURE__ */ defineEndpoint({
  id: 'auth.oauth.checkConnection',
  method: 'GET',
  path: '/v1/auth/settings',
  credentials: ['clientKey'],
  retry: 'safe',
});

/**
 * Whether a failed request of this runtime proves nothing: its `fetch` reports a missing network and
 * a lost response alike.
 */
export function hidesConnections(): boolean {
  const { navigator, document }: { navigator?: { product?: unknown }; document?: unknown } =
    globalThis as object;
  return navigator?.product === 'ReactNative' || document !== undefined;
}

/**
 * Sends a harmless read, and throws its error if the service does not respond to it: then a refresh
 * token that is not sent is not lost.
 */
export async function checkConnection(
  client: Sender,
  { region, signal }: { region: Region; signal: AbortSignal },
): Promise<void> {
  const options = { region, signal, timeout: TIMEOUT_MS, retry: false };
  try {
    await call(client, reachService, {}, options);
  } catch (error) {
    if (!isApiError(error) || error.status >= 500) throw error;
  }
}
