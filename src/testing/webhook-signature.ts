import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { requireTime } from './check-options.js';

/** A signed body with its headers. */
export type SignedBody = { body: string; headers: Record<string, string> };

/** Signs a body synchronously, so that deliveries are signed before a change of state returns. */
export function signBody(key: string, body: string, now: number): SignedBody {
  const timestamp = String(Math.floor(requireTime('now', now) / 1000));
  const signed = utf8ToBytes(`${timestamp}.${body}`);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-timestamp': timestamp,
      'x-signature': bytesToHex(hmac(sha256, utf8ToBytes(key), signed)),
    },
  };
}

/**
 * Signs a delivery as the service does in practice: `X-Signature` is the lower-case hex HMAC-SHA256
 * of `timestamp + "." + body`.
 *
 * @throws TypeError when `now` is not milliseconds since 1970
 *
 * @example
 * ```ts
 * import { signWebhook } from 'card-platform-sdk/testing';
 *
 * const event = { type: 'card.activated', eventId: 'event-1', data: {} };
 * const { body, headers } = await signWebhook('whk_test', event, Date.now());
 * console.log(body, headers);
 * ```
 */
export async function signWebhook(
  key: string,
  payload: unknown,
  now: number,
): Promise<{ body: string; headers: Record<string, string> }> {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return signBody(key, body, now);
}
