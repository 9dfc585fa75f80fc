import { isObject } from '../contract/formats/is-object.js';
import type { JsonObject } from '../contract/schema.js';
import type { WebhookEventType } from '../contract/webhooks.js';

/** A delivery that has been verified. */
export type WebhookEvent = {
  /** Events are delivered at least once: ignore an id that you have handled. `undefined` when missing. */
  eventId: string | undefined;
  /** `undefined` when the envelope has no type. */
  type: WebhookEventType | undefined;
  /** The user that the event is about. `undefined` when the envelope does not say it. */
  userId: string | undefined;
  /** When it happened, as the service wrote it. */
  occurredAt: string | undefined;
  /** The data of the event. Its fields are not documented. */
  data: JsonObject | undefined;
  /** What changed, as the service wrote it. */
  changes: JsonObject | undefined;
  /** The whole body, parsed. Keys such as `__proto__` and `constructor` are left out. */
  payload: JsonObject;
};

/** The fields that a scheme reads from the envelope of a delivery. */
export type WebhookEnvelope = Pick<WebhookEvent, 'eventId' | 'type'> &
  Partial<Pick<WebhookEvent, 'userId' | 'occurredAt' | 'data' | 'changes'>>;

/**
 * How deliveries are signed and laid out. The contract documents neither, so you can replace this.
 * The default matches what the service sends in practice.
 */
export type WebhookScheme = {
  /** Header with the Unix time in seconds. */
  timestampHeader: string;
  /** Header with the hex HMAC-SHA256. */
  signatureHeader: string;
  /** Returns the text before the raw body in the signed text. */
  signedPrefix: (timestamp: string) => string;
  /** Reads id, type and the other fields of the envelope. */
  readEnvelope: (payload: JsonObject) => WebhookEnvelope;
};

function firstText(payload: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function firstObject(payload: JsonObject, names: readonly string[]): JsonObject | undefined {
  const found = names.map((name) => (Object.hasOwn(payload, name) ? payload[name] : undefined));
  const object = found.find(isObject);
  return object as JsonObject | undefined;
}

/**
 * The id of an event. A bare `id` is read only beside `event_object`: in a flat body it may be the
 * id of a card or a transaction, and a receiver would drop the next event about it.
 */
function eventIdOf(payload: JsonObject): string | undefined {
  const isNested = firstObject(payload, OBJECT) !== undefined;
  return firstText(payload, ['event_id', 'eventId', ...(isNested ? ['id'] : [])]);
}

const OBJECT = ['event_object', 'eventObject'];

/**
 * The scheme of deliveries in practice: `X-Timestamp`, `X-Signature` over
 * `timestamp + "." + body`. It reads the envelope of the vendor's pages (`event_object`,
 * `occurred_at`, ...) and the shorter one with `data`, in snake_case or camelCase.
 */
export const OBSERVED_WEBHOOK_SCHEME: WebhookScheme = Object.freeze({
  timestampHeader: 'x-timestamp',
  signatureHeader: 'x-signature',
  signedPrefix: (timestamp: string) => `${timestamp}.`,
  readEnvelope: (payload: JsonObject) => ({
    eventId: eventIdOf(payload),
    type: firstText(payload, ['event_type', 'eventType', 'type', 'event']),
    userId: firstText(payload, ['user_id', 'userId']),
    occurredAt: firstText(payload, ['occurred_at', 'occurredAt', 'created_at', 'createdAt']),
    data: firstObject(payload, [...OBJECT, 'data']),
    changes: firstObject(payload, ['event_object_changes', 'eventObjectChanges']),
  }),
});
