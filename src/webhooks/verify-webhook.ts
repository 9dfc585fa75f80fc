import { isBytes } from '../contract/formats/is-bytes.js';
import { isObject } from '../contract/formats/is-object.js';
import type { JsonObject } from '../contract/schema.js';
import { ConfigurationError, WebhookVerificationError } from '../errors/index.js';
import { parseJson } from '../transport/response/json.js';
import { type IncomingHeaders, requireHeader } from './headers.js';
import { OBSERVED_WEBHOOK_SCHEME, type WebhookEvent, type WebhookScheme } from './scheme.js';

/**
 * Returns the bytes of a raw body, up to the limit. A text that has more characters than the limit is
 * not encoded.
 *
 * @throws WebhookVerificationError for a parsed body and for one that is too large
 */
function rawBytes(body: unknown, limit: number): Uint8Array<ArrayBuffer> {
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

/** The limits of a delivery. */
type WebhookLimits = { now: number; toleranceSeconds: number; maxBodyBytes: number };

type Given = { readonly [Name in keyof WebhookLimits]?: WebhookLimits[Name] | undefined };

/** Far above any event of the service, and hashed within milliseconds. */
const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;
const DEFAULT_TOLERANCE_SECONDS = 300;

function refuse(option: keyof WebhookLimits, rule: string): never {
  throw new ConfigurationError(option, `${option} must be ${rule}.`);
}

/**
 * Returns the limits of a check. An infinite tolerance would let deliveries of any age pass, and a
 * limit that is not a number would let none pass, so both are refused before anything is read.
 *
 * @throws ConfigurationError that says which option is wrong
 */
function webhookLimits(given: Given): WebhookLimits {
  const {
    now = Date.now(),
    toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
    maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
  } = given;
  if (!Number.isFinite(now) || now < 0) refuse('now', 'milliseconds since 1970');
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds <= 0) {
    refuse('toleranceSeconds', 'seconds above zero');
  }
  if (!Number.isSafeInteger(maxBodyBytes) || maxBodyBytes <= 0) {
    refuse('maxBodyBytes', 'a whole number above zero');
  }
  return { now, toleranceSeconds, maxBodyBytes };
}

/** A delivery, and the keys and limits to check it with. */
export type VerifyWebhookInput = {
  /** The unchanged body: text or bytes, never the parsed object. */
  body: string | Uint8Array | ArrayBuffer;
  headers: IncomingHeaders;
  /** The signing key, or several while one replaces another. At most 16. */
  keys: string | readonly string[];
  /**
   * The most that the timestamp of a delivery may differ from the current time, in seconds, above
   * zero. Default 300.
   */
  toleranceSeconds?: number | undefined;
  /** The longest body that is read, in bytes, a whole number above zero. Default 1 MiB (1,048,576). */
  maxBodyBytes?: number | undefined;
  /** How deliveries are signed. Default {@link OBSERVED_WEBHOOK_SCHEME}. */
  scheme?: WebhookScheme | undefined;
  /** The time now, in milliseconds since 1970. Default: the time of `clock`. */
  now?: number | undefined;
  /** The clock, such as `mock.clock` in tests. Default: the system clock. */
  clock?:
    | {
        /** Milliseconds since 1970. */
        now(): number;
      }
    | undefined;
};

const MAX_KEYS = 16;
const UNIX_SECONDS = /^\d{1,12}$/;
const HEX_SHA256 = /^[0-9a-f]{64}$/i;
// Created on use: Jest's jsdom environment has no TextEncoder, and loads this file with the client.
const utf8 = (text: string) => new TextEncoder().encode(text);

/** Only a server has the keys of webhooks, and every server has `crypto.subtle`. */
function requireSubtle(): SubtleCrypto {
  const { crypto } = globalThis as { crypto?: Crypto };
  if (crypto?.subtle !== undefined) return crypto.subtle;
  throw new ConfigurationError(
    'crypto',
    'verifyWebhook needs crypto.subtle, which this runtime lacks. Webhooks are verified on a server: a ' +
      'signing key must not be in an app.',
  );
}

function requireKeys(keys: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(keys) ? keys : [keys];
  const areKeys = list.every((key) => typeof key === 'string' && key !== '');
  if (areKeys && list.length > 0 && list.length <= MAX_KEYS) return list as string[];
  throw new ConfigurationError('keys', `keys must be 1 to ${MAX_KEYS} signing keys, none empty.`);
}

function requireFresh(timestamp: string, toleranceSeconds: number, now: number): void {
  if (!UNIX_SECONDS.test(timestamp)) {
    throw new WebhookVerificationError(
      'webhook_timestamp_invalid',
      'the timestamp is not whole Unix seconds.',
    );
  }
  const age = Math.abs(now / 1000 - Number(timestamp));
  // Only an age that is known to be within the tolerance passes.
  if (!(age <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'webhook_timestamp_outside_tolerance',
      `the timestamp is more than ${toleranceSeconds} s from the current time: the delivery is old, or a clock is wrong.`,
    );
  }
}

function requireScheme(scheme: unknown): WebhookScheme {
  const { timestampHeader, signatureHeader, signedPrefix, readEnvelope }: Record<string, unknown> =
    Object(scheme);
  const areNames = [timestampHeader, signatureHeader].every(
    (name) => typeof name === 'string' && name !== '',
  );
  const areFunctions = [signedPrefix, readEnvelope].every((one) => typeof one === 'function');
  if (areNames && areFunctions) return scheme as WebhookScheme;
  throw new ConfigurationError(
    'scheme',
    'scheme must have the names timestampHeader and signatureHeader, and the functions signedPrefix and readEnvelope.',
  );
}

function timeOf(clock: VerifyWebhookInput['clock']): number | undefined {
  if (clock === undefined || typeof clock?.now === 'function') return clock?.now();
  throw new ConfigurationError('clock', 'clock must be an object with now.');
}

async function isSignedBy(
  key: string,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const subtle = requireSubtle();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await subtle.importKey('raw', utf8(key), algorithm, false, ['verify']);
  // `verify` compares in constant time.
  return subtle.verify('HMAC', imported, signature, signed);
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function parsePayload(bytes: Uint8Array): JsonObject {
  try {
    const payload = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isObject(payload)) return payload as JsonObject;
  } catch {
    // Reported below, because the message of a parser quotes its input.
  }
  throw new WebhookVerificationError('webhook_payload_invalid', 'the body is not a JSON object.');
}

/**
 * Verifies that a delivery comes from the service and is recent, and parses it. The contract
 * documents no signing scheme: the default is the one used in practice, and can be replaced.
 *
 * A body longer than `maxBodyBytes` is refused before it is hashed (`webhook_body_too_large`). This
 * protects the check, not your memory: also limit what your framework reads.
 *
 * @experimental
 * @throws WebhookVerificationError for a delivery that must not be trusted: respond with 400, or with
 *   503 while you replace a key, or deliveries are lost. See `docs/server/webhooks.md`
 * @throws ConfigurationError for `keys`, `scheme`, `now`, `clock`, `toleranceSeconds` or `maxBodyBytes` that
 *   cannot work, and where the runtime has no `crypto.subtle`, as in React Native: webhooks are verified on a
 *   server
 * @example
 * ```ts
 * import { verifyWebhook } from 'card-platform-sdk';
 *
 * export async function receive(request: Request, signingKey: string): Promise<Response> {
 *   const event = await verifyWebhook({
 *     body: await request.text(),
 *     headers: request.headers,
 *     keys: signingKey,
 *   });
 *   console.log(event.type, event.eventId);
 *   return new Response(null, { status: 204 });
 * }
 * ```
 */
export async function verifyWebhook(input: VerifyWebhookInput): Promise<WebhookEvent> {
  requireSubtle();
  const delivery: VerifyWebhookInput = Object(input);
  const { scheme: given = OBSERVED_WEBHOOK_SCHEME } = delivery;
  const scheme = requireScheme(given);
  const { now, toleranceSeconds, maxBodyBytes } = webhookLimits({
    ...delivery,
    now: delivery.now === undefined ? timeOf(delivery.clock) : delivery.now,
  });
  const keys = requireKeys(delivery.keys);
  const body = rawBytes(delivery.body, maxBodyBytes);
  const timestamp = requireHeader(delivery.headers, scheme.timestampHeader);
  const signature = requireHeader(delivery.headers, scheme.signatureHeader);
  requireFresh(timestamp, toleranceSeconds, now);
  const prefix = utf8(scheme.signedPrefix(timestamp));
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  if (!HEX_SHA256.test(signature)) {
    throw new WebhookVerificationError(
      'webhook_signature_invalid',
      'the signature is not 64 hex characters: a forgery, or a header that something has changed.',
    );
  }
  const bytes = fromHex(signature);
  const matches = await Promise.all(keys.map((key) => isSignedBy(key, bytes, signed)));
  if (!matches.includes(true)) {
    throw new WebhookVerificationError(
      'webhook_signature_invalid',
      'the signature matches none of the keys: a forgery, another key, or a changed body. ' +
        'Respond with 400, or with 503 while you replace a key: a delivery that got a 4xx is not sent again.',
    );
  }
  const payload = parsePayload(body);
  const unread = { userId: undefined, occurredAt: undefined, data: undefined, changes: undefined };
  return { ...unread, ...scheme.readEnvelope(payload), payload };
}
