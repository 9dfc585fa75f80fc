import { requireTime } from './numbers.js';

/**
 * Signs a delivery as the service does in practice: `X-Signature` is the lower-case hex HMAC-SHA256
 * of `timestamp + "." + body`.
 *
 * @throws TypeError when `now` is not milliseconds since 1970
 * @throws Error where the runtime has no `crypto.subtle`, as in React Native
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
  // React Native has no crypto.
  const { crypto } = globalThis as { crypto?: Crypto };
  if (crypto?.subtle === undefined) {
    throw new Error(
      'signing a delivery needs crypto.subtle, which this runtime lacks: test webhooks where your server runs',
    );
  }
  const { subtle } = crypto;
  const utf8 = new TextEncoder();
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
