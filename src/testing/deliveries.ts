import type { MockClock } from './clock.js';
import type { Identifiers } from './identifiers.js';
import type { MockState, MockWebhook } from './state.js';
import { signWebhook } from './webhook-signature.js';

/** Something that happened, to be told to the webhooks. */
export type MockEvent = {
  /** For example `card.activated`. */
  type: string;
  /** What the event says. Default `{}`. */
  data?: Readonly<Record<string, unknown>> | undefined;
};

/** Where deliveries are really sent. */
export type DeliveryOptions = {
  /** A URL on this machine, in place of the webhook's own. Default: nothing is sent. */
  to?: string | undefined;
};

/** A delivery as it was made: hand body and headers to your handler, or have it sent. */
export type MockDelivery = {
  webhookId: string;
  eventId: string;
  body: string;
  headers: Record<string, string>;
  /** What the receiver answered; `null` when it was not sent, or nobody answered. */
  status: number | null;
};

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** A webhook hears of what it named, of a group (`card.*`), or of everything (`*`). */
function hears({ isActive, eventTypes }: MockWebhook, type: string): boolean {
  const group = `${type.split('.')[0]}.*`;
  return isActive && eventTypes.some((wanted) => [type, group, '*'].includes(wanted));
}

function requireLoopback(to: string): string {
  const { protocol, hostname } = new URL(to);
  if (protocol === 'http:' && LOOPBACK.test(hostname)) return to;
  throw new Error(
    'deliveries are sent to an http URL on this machine only, such as http://127.0.0.1:3000/',
  );
}

async function post(to: string, { body, headers }: Pick<MockDelivery, 'body' | 'headers'>) {
  try {
    const answer = await fetch(to, { method: 'POST', body, headers, redirect: 'manual' });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
}

/** Tells an event to every webhook that hears of it, and keeps a log of each delivery. */
export async function deliver(
  { state, clock, ids }: { state: MockState; clock: MockClock; ids: Identifiers },
  { type, data = {} }: MockEvent,
  { to }: DeliveryOptions,
): Promise<MockDelivery[]> {
  const target = to === undefined ? undefined : requireLoopback(to);
  const eventId = ids.uuid();
  const payload = { event_id: eventId, event_type: type, created_at: clock.iso(), data };
  const deliveries: MockDelivery[] = [];
  for (const webhook of state.webhooks.filter((one) => hears(one, type))) {
    const signed = await signWebhook(webhook.apiKey, payload, clock.now());
    const status = target === undefined ? null : await post(target, signed);
    state.webhookLogs.unshift(logOf(webhook, eventId, signed, status, { clock, ids }));
    deliveries.push({ webhookId: webhook.id, eventId, ...signed, status });
  }
  return deliveries;
}

/** The entry in the log of a webhook, with the fields that were seen. */
function logOf(
  webhook: MockWebhook,
  eventId: string,
  { body, headers }: { body: string; headers: Record<string, string> },
  status: number | null,
  { clock, ids }: { clock: MockClock; ids: Identifiers },
) {
  const isDelivered = status !== null && status >= 200 && status < 300;
  return {
    ...{ id: ids.uuid(), eventId, webhookId: webhook.id, attemptNumber: 1 },
    ...{ requestUrl: webhook.url, requestHeaders: headers, requestBody: body },
    ...{ responseStatus: status, responseBody: null, errorMessage: null },
    deliveryStatus: isDelivered ? 'DELIVERED' : 'PENDING',
    ...{ durationMs: 0, createdAt: clock.iso(), nextRetryAt: null },
  };
}
