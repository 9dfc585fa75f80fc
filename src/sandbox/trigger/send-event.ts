import { randomUUID } from 'node:crypto';
import { eventEnvelope } from '../../testing/event-envelope.js';
import { signBody } from '../../testing/webhook-signature.js';
import { SecretValues } from '../../transport/response/redact.js';
import type { TriggerOptions } from './trigger-options.js';

/** The response of a receiver, cleaned for the console. */
type TriggerResult = { eventId: string; status: number; body: string };

const LONGEST_BODY = 1_000;

/** Signs an event at the current time, sends it once, and returns the response. */
export async function sendEvent(
  { to, secret, type, data, envelope }: TriggerOptions,
  now: number,
): Promise<TriggerResult> {
  const eventId = randomUUID();
  const createdAt = new Date(now).toISOString();
  const event = eventEnvelope({ eventId, eventType: type, createdAt, data }, envelope);
  const { body, headers } = signBody(secret, JSON.stringify(event), now);
  const response = await fetch(to, { method: 'POST', body, headers, redirect: 'manual' });
  const text = new SecretValues([secret]).clean(await response.text(), LONGEST_BODY);
  return { eventId, status: response.status, body: text };
}
