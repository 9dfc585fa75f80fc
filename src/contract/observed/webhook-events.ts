import type { OpenEnum } from '../common.js';
import { defineEndpoint } from '../define-endpoint.js';
import {
  flag,
  freeForm,
  list,
  maybe,
  notBlank,
  number,
  oneOf,
  optional,
  text,
  timestamp,
  uuid,
  wholeNumberFrom,
} from '../fields.js';
import { withOptionalFields } from '../response.js';
import type { JsonValue } from '../schema.js';
import { type WebhookLogs, webhookDelivery } from '../webhooks.js';
import { inputOf, objectOf, responseOf } from './schema.js';

/** The state of an event. */
export type WebhookEventStatus = OpenEnum<
  'pending' | 'processing' | 'completed' | 'failed' | 'skipped'
>;

/** An event that the service sends to webhooks. */
export type ObservedWebhookEvent = {
  /**
   * Not the same as `eventId`. It is not clear which of them a path expects: the examples show this
   * one.
   */
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
  /** 1 to 100. The service uses 50 if it is left out. */
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
  /** Headers and bodies print redacted, because they contain signatures and personal data. */
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

const status = oneOf(['pending', 'processing', 'completed', 'failed', 'skipped']);

const event = objectOf<ObservedWebhookEvent>({
  id: maybe(text),
  eventId: maybe(text),
  tenant: maybe(text),
  eventType: maybe(text),
  payload: maybe(freeForm),
  userId: maybe(text),
  sourceService: maybe(text),
  status: maybe(status),
  createdAt: maybe(timestamp),
  processedAt: maybe(timestamp),
  queuedAt: maybe(timestamp),
});

const oneEvent = inputOf<WebhookEventInput>({ eventId: notBlank });

/** GET /v1/webhooks/events (certainty medium) */
export const listWebhookEvents = defineEndpoint({
  id: 'webhooks.events.list',
  certainty: 'medium',
  method: 'GET',
  path: '/v1/webhooks/events',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  retry: 'safe',
  input: inputOf<ListWebhookEventsInput>({
    status: optional(notBlank),
    limit: optional(wholeNumberFrom(1, 100)),
  }),
  query: ['status', 'limit'],
  output: responseOf<WebhookEventList>({ total: maybe(number), events: maybe(list(event)) }),
  mayBeEmpty: true,
  secrets: ['events.payload'],
  errors: [401, 403, 503],
});

/** GET /v1/webhooks/events/{eventId}/status (certainty medium; which id low) */
export const webhookEventStatus = defineEndpoint({
  id: 'webhooks.events.status',
  certainty: 'medium',
  method: 'GET',
  path: '/v1/webhooks/events/{eventId}/status',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  retry: 'safe',
  input: oneEvent,
  output: responseOf<WebhookEventState>({
    id: maybe(text),
    eventId: maybe(text),
    status: maybe(status),
    eventType: maybe(text),
    createdAt: maybe(timestamp),
    processedAt: maybe(timestamp),
  }),
  mayBeEmpty: true,
  errors: [401, 403, 404, 503],
});

/** GET /v1/webhooks/events/{eventId}/logs (certainty medium) */
export const webhookEventLogs = defineEndpoint({
  id: 'webhooks.events.logs',
  certainty: 'medium',
  method: 'GET',
  path: '/v1/webhooks/events/{eventId}/logs',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  retry: 'safe',
  input: oneEvent,
  output: responseOf<WebhookEventLogs>({
    event: maybe(event),
    logs: maybe(list(withOptionalFields(webhookDelivery))),
  }),
  mayBeEmpty: true,
  secrets: ['event.payload', 'logs.requestHeaders', 'logs.requestBody', 'logs.responseBody'],
});

/** POST /v1/webhooks/events/{eventId}/retry (certainty medium) */
export const retryWebhookEvent = defineEndpoint({
  id: 'webhooks.events.retry',
  certainty: 'medium',
  method: 'POST',
  path: '/v1/webhooks/events/{eventId}/retry',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  retry: 'never',
  isRecorded: false,
  input: inputOf<RetryWebhookEventInput>({ eventId: notBlank, webhookId: optional(uuid) }),
  output: responseOf<RetriedWebhookEvent>({
    success: maybe(flag),
    data: maybe(
      objectOf<NonNullable<RetriedWebhookEvent['data']>>({
        eventId: maybe(text),
        webhookCount: maybe(number),
        message: maybe(text),
      }),
    ),
  }),
  mayBeEmpty: true,
  errors: [400, 401, 403, 404, 503],
});
