import type { SuccessResult } from '../contract/common.js';
import {
  type CreatedWebhook,
  type CreateWebhookInput,
  createWebhook,
  deleteWebhook,
  getWebhook,
  type ListedWebhook,
  listWebhooks,
  type RotatedWebhook,
  rotateWebhookKey,
  type UpdateWebhookInput,
  updateWebhook,
  type WebhookIdInput,
  type WebhookLogs,
  type WebhookLogsInput,
  type WebhookResult,
  webhookLogs,
} from '../contract/webhooks.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/**
 * The URLs to which the service delivers events. These calls send only the bearer token, no other
 * credential.
 */
export class WebhooksResource extends Resource {
  /**
   * Changes a webhook. Fields that are left out stay the same; `eventTypes` and `metadata` are
   * replaced as a whole.
   *
   * Endpoint: `PUT /v1/webhooks/{id}`
   *
   * @throws NotFoundError with code `webhook_not_found`
   * @throws BadRequestError with code `webhook_url_not_https`
   * @example
   * ```ts
   * await userClient.webhooks.update({
   *   id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e',
   *   url: 'https://hooks.example.com/card',
   *   isActive: true,
   * });
   * ```
   */
  update(input: UpdateWebhookInput, options?: RequestOptions): PlatformPromise<WebhookResult> {
    return this.send(updateWebhook, input, options);
  }

  /**
   * Replaces the signing key. Only this response contains the new key, in `data.apiKey`. Never sent
   * again once it may have arrived; after an `unknown` outcome rotate again by hand, because no
   * read shows the key and the journal cannot find out whether it was replaced.
   *
   * Endpoint: `POST /v1/webhooks/{id}/rotate-key`
   *
   * @throws NotFoundError with code `webhook_not_found`
   * @example
   * ```ts
   * const { data } = await userClient.webhooks.rotateKey({ id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e' });
   * const signingKey = data.apiKey;
   * ```
   */
  rotateKey(input: WebhookIdInput, options?: RequestOptions): PlatformPromise<RotatedWebhook> {
    return this.send(rotateWebhookKey, input, options);
  }

  /**
   * Deletes a webhook permanently. If the response is lost and a retry finds no webhook, the call
   * succeeds with `resolvedByRetry: true`.
   *
   * Endpoint: `DELETE /v1/webhooks/{id}`
   *
   * @throws NotFoundError with code `webhook_not_found`
   * @example
   * ```ts
   * await userClient.webhooks.delete({ id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e' });
   * ```
   */
  delete(input: WebhookIdInput, options?: RequestOptions): PlatformPromise<SuccessResult> {
    return this.send(deleteWebhook, input, options);
  }

  /**
   * Returns all webhooks; signing keys are masked.
   *
   * Endpoint: `GET /v1/webhooks` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * const webhooks = await userClient.webhooks.list();
   * ```
   */
  list(options?: RequestOptions): PlatformPromise<readonly ListedWebhook[]>;
  list<Output>(options: RequestOptions & SchemaOption<Output>): PlatformPromise<Output>;
  list(options?: RequestOptions) {
    return this.send(listWebhooks, {}, options);
  }

  /**
   * Creates a webhook. Only this response contains the signing key, in `data.apiKey`. Never sent
   * again once it may have arrived: after an `unknown` outcome look it up with
   * `client.journal.reconcile`.
   *
   * Endpoint: `POST /v1/webhooks` (preview)
   *
   * @experimental
   * @throws BadRequestError with code `webhook_limit_reached`
   * @example
   * ```ts
   * const { data } = await userClient.webhooks.create({
   *   name: 'card events',
   *   url: 'https://hooks.example.com/card',
   *   eventTypes: ['card.activated'],
   * });
   * const signingKey = data?.apiKey;
   * ```
   */
  create(input: CreateWebhookInput, options?: RequestOptions): PlatformPromise<CreatedWebhook>;
  create<Output>(
    input: CreateWebhookInput,
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
  create(input: CreateWebhookInput, options?: RequestOptions) {
    return this.send(createWebhook, input, options);
  }

  /**
   * Returns one webhook; its signing key is masked.
   *
   * Endpoint: `GET /v1/webhooks/{id}` (preview)
   *
   * @experimental
   * @throws NotFoundError with code `webhook_not_found`
   * @example
   * ```ts
   * const webhook = await userClient.webhooks.get({ id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e' });
   * ```
   */
  get(input: WebhookIdInput, options?: RequestOptions): PlatformPromise<ListedWebhook>;
  get<Output>(
    input: WebhookIdInput,
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
  get(input: WebhookIdInput, options?: RequestOptions) {
    return this.send(getWebhook, input, options);
  }

  /**
   * Returns deliveries of a webhook. The contract does not show their order.
   *
   * Endpoint: `GET /v1/webhooks/{id}/logs` (preview)
   *
   * @experimental
   * @throws NotFoundError with code `webhook_not_found`
   * @example
   * ```ts
   * const { logs } = await userClient.webhooks.logs({
   *   id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e',
   *   limit: 20,
   * });
   * ```
   */
  logs(input: WebhookLogsInput, options?: RequestOptions): PlatformPromise<WebhookLogs>;
  logs<Output>(
    input: WebhookLogsInput,
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
  logs(input: WebhookLogsInput, options?: RequestOptions) {
    return this.send(webhookLogs, input, options);
  }
}
