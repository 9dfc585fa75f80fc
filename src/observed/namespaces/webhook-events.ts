import {
  type ListWebhookEventsInput,
  listWebhookEvents,
  type RetriedWebhookEvent,
  type RetryWebhookEventInput,
  retryWebhookEvent,
  type WebhookEventInput,
  type WebhookEventList,
  type WebhookEventLogs,
  type WebhookEventState,
  webhookEventLogs,
  webhookEventStatus,
} from '../../contract/observed/webhook-events.js';
import type { PlatformPromise, RequestOptions } from '../../index.js';
import { ObservedCalls } from '../calls.js';

/**
 * The events that the service sends to webhooks. Calls carry only a bearer token: no client key and no
 * US routing.
 *
 * Certainty medium (the vendor page alone). It is not clear whether a path expects `id` or
 * `eventId`: its examples show the value of `id`.
 *
 * @experimental
 */
export class WebhookEventsCalls extends ObservedCalls {
  /**
   * Lists webhook events.
   *
   * Endpoint: `GET /v1/webhooks/events` (observed). Retries: safe. Secret: `payload` of each event.
   *
   * @experimental
   * @throws AuthenticationError, PermissionError, ServerError
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { events } = await observe(userClient).webhooks.events.list({ status: 'failed', limit: 20 });
   * ```
   */
  list(
    input: ListWebhookEventsInput = {},
    options?: RequestOptions,
  ): PlatformPromise<WebhookEventList> {
    return this.send(listWebhookEvents, input, options);
  }

  /**
   * Returns the state of an event. `processedAt` is null until it is processed.
   *
   * Endpoint: `GET /v1/webhooks/events/{eventId}/status` (observed). Retries: safe.
   *
   * @experimental
   * @throws AuthenticationError, PermissionError, NotFoundError, ServerError
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { status } = await observe(userClient).webhooks.events.status({ eventId: 'event-1' });
   * ```
   */
  status(input: WebhookEventInput, options?: RequestOptions): PlatformPromise<WebhookEventState> {
    return this.send(webhookEventStatus, input, options);
  }

  /**
   * Returns an event and its deliveries.
   *
   * Endpoint: `GET /v1/webhooks/events/{eventId}/logs` (observed). Retries: safe. Secrets: `payload`,
   * and of each delivery `requestHeaders`, `requestBody`, `responseBody`. Errors were not seen.
   *
   * @experimental
   * @throws ApiError when the service refuses it
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { logs } = await observe(userClient).webhooks.events.logs({ eventId: 'event-1' });
   * ```
   */
  logs(input: WebhookEventInput, options?: RequestOptions): PlatformPromise<WebhookEventLogs> {
    return this.send(webhookEventLogs, input, options);
  }

  /**
   * Delivers an event again, to every receiver or to one.
   *
   * Endpoint: `POST /v1/webhooks/events/{eventId}/retry` (observed). Retries: never; every receiver
   * gets the event again. Without `webhookId` the body is `{}`.
   *
   * @experimental
   * @throws BadRequestError, AuthenticationError, PermissionError, NotFoundError, ServerError
   * @throws OperationRejectedError on `success: false`
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * await observe(userClient).webhooks.events.retry({ eventId: 'event-1' });
   * ```
   */
  retry(
    input: RetryWebhookEventInput,
    options?: RequestOptions,
  ): PlatformPromise<RetriedWebhookEvent> {
    return this.send(retryWebhookEvent, input, options);
  }
}
