import { requireTime } from './numbers.js';

const utf8 = new TextEncoder();

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
  const timestamp = String(Math.floor(requireTime('now', now) / 1000));
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await subtle.importKey('raw', utf8.encode(key), algorithm, false, ['sign']);
  const signature = await subtle.sign('HMAC', imported, utf8.encode(`${timestamp}.${body}`));
  const hex = Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0'));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-timestamp': timestamp,
      'x-signature': hex.join(''),
    },
  };
}
