import { isBytes } from '../contract/formats/is-bytes.js';
import { WebhookVerificationError } from '../errors/index.js';

/**
 * Returns the bytes of a raw body, up to the limit. A text that has more characters than the limit is
 * not encoded.
 *
 * @throws WebhookVerificationError for a parsed body and for one that is too large
 */
export function rawBytes(body: unknown, limit: number): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') {
    // Every character takes at least one byte.
    requireSize(body.length, limit);
    const bytes = new TextEncoder().encode(body);
    requireSize(bytes.byteLength, limit);
    return bytes;
  }
  if (isBytes(body) || isBuffer(body)) {
    requireSize(body.byteLength, limit);
    return isBytes(body) ? Uint8Array.from(body) : new Uint8Array(body.slice(0));
  }
  throw new WebhookVerificationError(
    'webhook_body_not_raw',
    'the body is not raw text or bytes. A parsed body cannot be verified: read it before any ' +
      'parser does, for example with await request.text(), or express.raw({ type: "*/*" }).',
  );
}

/** Of any realm, like `isBytes`. */
function isBuffer(body: unknown): body is ArrayBuffer {
  return Object.prototype.toString.call(body) === '[object ArrayBuffer]';
}

function requireSize(bytes: number, limit: number): void {
  if (bytes <= limit) return;
  throw new WebhookVerificationError(
    'webhook_body_too_large',
    `the body has more than ${limit} bytes. It was not hashed or parsed. Raise maxBodyBytes if ` +
      'your deliveries are that large.',
  );
}
