import { defineEndpoint } from '../../endpoints/index.js';
import type { JsonValue, Open, WebhookLogs } from '../../index.js';
import {
  anyObject,
  filled,
  flag,
  list,
  number,
  object,
  optional,
  seen,
  text,
  uuid,
  wholeNumberFrom,
} from '../schema/rule.js';
import { input, response } from '../schema/schema.js';

/** The state of an event. */
export type WebhookEventStatus = Open<
  'pending' | 'processing' | 'completed' | 'failed' | 'skipped'
>;

/** An event that the service sends to webhooks. */
export type ObservedWebhookEvent = {
  /** Not the same as `eventId`. Which of them a path takes is not clear: the examples show this one. */
  id?: string | null | undefined;
  eventId?: string | null | undefined;
  tenant?: string | null | undefined;
  eventType?: string | null | undefined;
  /** Personal data: prints redacted. */
  payload?: Readonly<Record<string, JsonValue>> | null | undefined;
  userId?: string | null | undefined;
  sourceService?: string | null | undefined;
  status?: WebhookEventStatus | null | undefined;
  createdAt?: string | null | undefined;
  /** `null` until processed. */
  processedAt?: string | null | undefined;
  queuedAt?: string | null | undefined;
};

/** The events to list. */
export type ListWebhookEventsInput = {
  status?: WebhookEventStatus | undefined;
  /** 1 to 100. The service takes 50 where it is left out. */
  limit?: number | undefined;
};

/** A list of events. */
export type WebhookEventList = {
  total?: number | null | undefined;
  events?: readonly ObservedWebhookEvent[] | null | undefined;
};

/** The event. */
export type WebhookEventInput = { eventId: string };

/** The state of one event. */
export type WebhookEventState = Pick<
  ObservedWebhookEvent,
  'id' | 'eventId' | 'status' | 'eventType' | 'createdAt' | 'processedAt'
>;

/** An event and its deliveries. */
export type WebhookEventLogs = {
  event?: ObservedWebhookEvent | null | undefined;
  /** Headers and bodies print redacted: they hold signatures and personal data. */
  logs?: WebhookLogs['logs'];
};

/** The event to deliver again. */
export type RetryWebhookEventInput = {
  eventId: string;
  /** One receiver, a UUID. Default: every receiver gets the event again. */
  webhookId?: string | undefined;
};

/** An event that is delivered again. */
export type RetriedWebhookEvent = {
  success?: boolean | null | undefined;
  data?:
    | {
        eventId?: string | null | undefined;
        webhookCount?: number | null | undefined;
        message?: string | null | undefined;
      }
    | null
    | undefined;
};

const event = object<ObservedWebhookEvent>({
  id: seen(text),
  eventId: seen(text),
  tenant: seen(text),
  eventType: seen(text),
  payload: seen(anyObject),
  userId: seen(text),
  sourceService: seen(text),
  status: seen(text),
  createdAt: seen(text),
  processedAt: seen(text),
  queuedAt: seen(text),
});

const oneEvent = input<WebhookEventInput>({ eventId: filled });

/** GET /v1/webhooks/events (certainty medium) */
export const listWebhookEvents = /* @__PURE__ */ defineEndpoint({
  id: 'webhooks.events.list',
  method: 'GET',
  path: '/v1/webhooks/events',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  retry: 'safe',
  input: input<ListWebhookEventsInput>({
    status: optional(filled),
    limit: optional(wholeNumberFrom(1, 100)),
  }),
  query: ['status', 'limit'],
  output: response<WebhookEventList>({ total: seen(number), events: seen(list(event)) }),
  mayBeEmpty: true,
  secrets: ['events.payload'],
  errors: [401, 403, 503],
});

/** GET /v1/webhooks/events/{eventId}/status (certainty medium; which id low) */
export const webhookEventStatus = /* @__PURE__ */ defineEndpoint({
  id: 'webhooks.events.status',
  method: 'GET',
  path: '/v1/webhooks/events/{eventId}/status',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  retry: 'safe',
  input: oneEvent,
  output: response<WebhookEventState>({
    id: seen(text),
    eventId: seen(text),
    status: seen(text),
    eventType: seen(text),
    createdAt: seen(text),
    processedAt: seen(text),
  }),
  mayBeEmpty: true,
  errors: [401, 403, 404, 503],
});

/** GET /v1/webhooks/events/{eventId}/logs (certainty medium) */
export const webhookEventLogs = /* @__PURE__ */ defineEndpoint({
  id: 'webhooks.events.logs',
  method: 'GET',
  path: '/v1/webhooks/events/{eventId}/logs',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  retry: 'safe',
  input: oneEvent,
  output: response<WebhookEventLogs>({ event: seen(event), logs: seen(list(anyObject)) }),
  mayBeEmpty: true,
  secrets: ['event.payload', 'logs.requestHeaders', 'logs.requestBody', 'logs.responseBody'],
});

/** POST /v1/webhooks/events/{eventId}/retry (certainty medium) */
export const retryWebhookEvent = /* @__PURE__ */ defineEndpoint({
  id: 'webhooks.events.retry',
  method: 'POST',
  path: '/v1/webhooks/events/{eventId}/retry',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  retry: 'never',
  input: input<RetryWebhookEventInput>({ eventId: filled, webhookId: optional(uuid) }),
  output: response<RetriedWebhookEvent>({
    success: seen(flag),
    data: seen(
      object<NonNullable<RetriedWebhookEvent['data']>>({
        eventId: seen(text),
        webhookCount: seen(number),
        message: seen(text),
      }),
    ),
  }),
  mayBeEmpty: true,
  errors: [400, 401, 403, 404, 503],
});
