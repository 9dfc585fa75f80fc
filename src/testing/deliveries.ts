import { parseWebUrl } from '../contract/formats/url.js';
import type { MockClock } from './clock.js';
import type { Identifiers } from './identifiers.js';
import type { MockState, MockWebhook } from './state.js';
import { signWebhook } from './webhook-signature.js';

/** An event to deliver to webhooks. */
export type MockEvent = {
  /** For example `card.activated`. */
  type: string;
  /** Data of the event. Default `{}`. */
  data?: Readonly<Record<string, unknown>> | undefined;
};

/** Options of `deliver`. */
export type DeliveryOptions = {
  /** A URL on this machine to send to, instead of the webhook's own. Default: nothing is sent. */
  to?: string | undefined;
};

/** A signed delivery. Pass its body and headers to your handler, or let `deliver` send it. */
export type MockDelivery = {
  webhookId: string;
  eventId: string;
  body: string;
  headers: Record<string, string>;
  /** Status of the receiver's response; `null` when the delivery was not sent or got no response. */
  status: number | null;
};

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** A webhook subscribes to an event by its type, its group (`card.*`) or `*`. */
function isSubscribed({ isActive, eventTypes }: MockWebhook, type: string): boolean {
  const group = `${type.split('.')[0]}.*`;
  return isActive && eventTypes.some((subscribed) => [type, group, '*'].includes(subscribed));
}

function requireLoopback(to: string): string {
  const url = parseWebUrl(to);
  if (url?.scheme === 'http' && LOOPBACK.test(url.host)) return to;
  throw new Error(
    'deliveries are sent to an http URL on this machine only, such as http://127.0.0.1:3000/',
  );
}

async function post(to: string, { body, headers }: Pick<MockDelivery, 'body' | 'headers'>) {
  try {
    const response = await fetch(to, { method: 'POST', body, headers, redirect: 'manual' });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}

/** Delivers an event to every subscribed webhook, and logs each delivery. */
export async function deliver(
  { state, clock, ids }: { state: MockState; clock: MockClock; ids: Identifiers },
  { type, data = {} }: MockEvent,
  { to }: DeliveryOptions,
): Promise<MockDelivery[]> {
  const target = to === undefined ? undefined : requireLoopback(to);
  const eventId = ids.uuid();
  const payload = { event_id: eventId, event_type: type, created_at: clock.iso(), data };
  const deliveries: MockDelivery[] = [];
  for (const webhook of state.webhooks.filter((one) => isSubscribed(one, type))) {
    const signed = await signWebhook(webhook.apiKey, payload, clock.now());
    const status = target === undefined ? null : await post(target, signed);
    state.webhookLogs.unshift(logEntry(webhook, eventId, signed, status, { clock, ids }));
    deliveries.push({ webhookId: webhook.id, eventId, ...signed, status });
  }
  return deliveries;
}

/** Returns the entry for a webhook's log, with the fields that the service returns in practice. */
function logEntry(
  webhook: MockWebhook,
  eventId: string,
  { body, headers }: { body: string; headers: Record<string, string> },
  status: number | null,
  { clock, ids }: { clock: MockClock; ids: Identifiers },
) {
  const isDelivered = status !== null && status >= 200 && status < 300;
  return {
    id: ids.uuid(),
    eventId,
    webhookId: webhook.id,
    attemptNumber: 1,
    requestUrl: webhook.url,
    requestHeaders: headers,
    requestBody: body,
    responseStatus: status,
    responseBody: null,
    errorMessage: null,
    deliveryStatus: isDelivered ? 'DELIVERED' : 'PENDING',
    durationMs: 0,
    createdAt: clock.iso(),
    nextRetryAt: null,
  };
}
