import type { JsonObject } from '../contract/schema.js';
import type { WebhookEventType } from '../contract/webhooks.js';

/** A delivery that has been verified. */
export type WebhookEvent = {
  /** Events are delivered at least once: ignore an id that you have handled. `undefined` when missing. */
  eventId: string | undefined;
  /** `undefined` when the envelope has no type. */
  type: WebhookEventType | undefined;
  /** The whole body, unchanged. */
  payload: JsonObject;
};

/**
 * How deliveries are signed and laid out. The contract documents neither, so you can replace this.
 * The default matches what the platform sends in practice.
 */
export type WebhookScheme = {
  /** Header with the Unix time in seconds. */
  timestampHeader: string;
  /** Header with the lower-case hex HMAC-SHA256. */
  signatureHeader: string;
  /** Returns the text before the raw body in the signed text. */
  signedPrefix: (timestamp: string) => string;
  /** Finds id and type in the envelope. */
  readEnvelope: (payload: JsonObject) => Pick<WebhookEvent, 'eventId' | 'type'>;
};

function firstText(payload: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/**
 * The scheme of deliveries in practice: `X-Timestamp`, `X-Signature` over
 * `timestamp + "." + body`, and an envelope in snake_case or camelCase.
 */
export const OBSERVED_WEBHOOK_SCHEME: WebhookScheme = Object.freeze({
  timestampHeader: 'x-timestamp',
  signatureHeader: 'x-signature',
  signedPrefix: (timestamp: string) => `${timestamp}.`,
  readEnvelope: (payload: JsonObject) => ({
    eventId: firstText(payload, ['event_id', 'eventId']),
    type: firstText(payload, ['event_type', 'eventType', 'type', 'event']),
  }),
});
