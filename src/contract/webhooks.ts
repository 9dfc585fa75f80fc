import type { NoInput, Open, SuccessResult } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import {
  anything,
  filledList,
  flag,
  freeForm,
  httpsUrl,
  input,
  list,
  maskedText,
  metadata,
  number,
  optional,
  responseBody,
  said,
  shortText,
  text,
  textUpTo,
  timestamp,
  unmaskedText,
  uuid,
  wholeNumber,
} from './fields.js';
import { unclear } from './lookup.js';
import { refusal } from './refusals.js';
import { doneResponse, observedResponse, response } from './response.js';
import type { JsonObject, JsonValue } from './schema.js';

/** Event types that are known by name. The contract does not list them all. */
export type WebhookEventType = Open<
  'kyc.status.changed' | 'card.activated' | 'transaction.cleared' | 'card.*' | '*'
>;

/** A webhook and its settings (preview): any field may be absent. */
export type ListedWebhook = {
  /** UUID. */
  id?: string | null | undefined;
  tenant?: string | null | undefined;
  name?: string | null | undefined;
  url?: string | null | undefined;
  /** Signing key: masked, except in the response of `rotateKey` and `create`. Prints redacted. */
  apiKey?: string | null | undefined;
  eventTypes?: readonly WebhookEventType[] | null | undefined;
  isActive?: boolean | null | undefined;
  /** Free-form. */
  metadata?: JsonObject | null | undefined;
  /** ISO 8601. */
  createdAt?: string | null | undefined;
  /** ISO 8601. */
  updatedAt?: string | null | undefined;
};

/** A webhook configuration, in the responses that the contract documents. */
export type WebhookConfig = ListedWebhook & { id: string };

/** A changed webhook configuration. The service may respond without a body: then both are absent. */
export type WebhookResult = { success?: true | undefined; data?: WebhookConfig | undefined };

/** A webhook configuration whose `apiKey` is the whole new signing key: it is shown only once. */
export type RotatedWebhook = {
  success?: true | undefined;
  data: WebhookConfig & { apiKey: string };
};

/**
 * A new webhook (preview): any field may be absent. `data.apiKey` is the whole signing key, shown
 * only once; if it is absent, `rotateKey` returns another one.
 */
export type CreatedWebhook = {
  success?: boolean | null | undefined;
  data?: ListedWebhook | null | undefined;
};

/** The webhook. */
export type WebhookIdInput = {
  /** UUID. */
  id: string;
};

/** The fields to change. Fields that are left out stay the same. */
export type UpdateWebhookInput = WebhookIdInput & {
  /** At most 255 characters. */
  name?: string | undefined;
  /** https only. */
  url?: string | undefined;
  /** Replaces the whole array; at least one. */
  eventTypes?: readonly WebhookEventType[] | undefined;
  /** `false` pauses deliveries. */
  isActive?: boolean | undefined;
  /** Replaces all metadata: JSON of at most 64 KiB. */
  metadata?: JsonObject | undefined;
};

/** A new webhook. */
export type CreateWebhookInput = {
  /** At most 255 characters. */
  name: string;
  /** https only. */
  url: string;
  /** At least one. */
  eventTypes: readonly WebhookEventType[];
  /**
   * Whether deliveries start at once. According to the vendor's pages, a new webhook is inactive
   * until it is activated.
   */
  isActive?: boolean | undefined;
  /** JSON of at most 64 KiB. */
  metadata?: JsonObject | undefined;
};

/** The webhook, and the number of deliveries to return. */
export type WebhookLogsInput = WebhookIdInput & {
  /** How many deliveries to return. */
  limit?: number | undefined;
};

/** Deliveries of a webhook (preview): any field may be absent. */
export type WebhookLogs = {
  count?: number | null | undefined;
  logs?:
    | readonly {
        id?: string | null | undefined;
        eventId?: string | null | undefined;
        webhookId?: string | null | undefined;
        attemptNumber?: number | null | undefined;
        requestUrl?: string | null | undefined;
        /** Free-form. Contains the signature of the delivery. */
        requestHeaders?: JsonValue | undefined;
        /** Free-form: the text that was sent, or its JSON. */
        requestBody?: JsonValue | undefined;
        responseStatus?: number | null | undefined;
        /** Free-form: the text of your endpoint's response, or its JSON. */
        responseBody?: JsonValue | undefined;
        errorMessage?: string | null | undefined;
        deliveryStatus?: string | null | undefined;
        durationMs?: number | null | undefined;
        createdAt?: string | null | undefined;
        nextRetryAt?: string | null | undefined;
      }[]
    | null
    | undefined;
};

const ERRORS = [401, 403, 404] as const;
const webhookNotFound = refusal('webhook_not_found', 404, 'webhook config not found');
const notConfigured = refusal(
  'notification_service_not_configured',
  503,
  'notification service is not configured for this environment',
  'notification service is not configured',
);
const REFUSALS = [webhookNotFound, notConfigured] as const;
const WIRE_NAMES = { eventTypes: 'event_types', isActive: 'is_active' } as const;

/** A webhook configuration. `apiKey` is masked, unless the key is new. */
// @__NO_SIDE_EFFECTS__
function config(apiKey: typeof text) {
  return responseBody({
    id: uuid,
    tenant: text,
    name: shortText(255),
    url: httpsUrl,
    apiKey,
    eventTypes: list(text),
    isActive: flag,
    metadata: freeForm,
    createdAt: timestamp,
    updatedAt: timestamp,
  });
}

const shown = config(maskedText);
const renewed = responseBody({ success: said, data: config(unmaskedText) });

export const webhookName = textUpTo(255);
export const webhookEventType = textUpTo(255);
const eventTypes = filledList(webhookEventType, 'must name at least one event type');

const created = observedResponse(renewed, ['data.id'], { mayBeEmpty: true });

/** One attempt to deliver an event, as a log shows it. */
export const webhookDelivery = responseBody({
  id: text,
  eventId: text,
  webhookId: text,
  attemptNumber: number,
  requestUrl: text,
  requestHeaders: anything,
  requestBody: anything,
  responseStatus: number,
  responseBody: anything,
  errorMessage: text,
  deliveryStatus: text,
  durationMs: number,
  createdAt: text,
  nextRetryAt: text,
});

/** PUT /v1/webhooks/{id} */
export const updateWebhook = defineEndpoint<UpdateWebhookInput, WebhookResult>({
  id: 'webhooks.update',
  method: 'PUT',
  path: '/v1/webhooks/{id}',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  retry: 'idempotent',
  input: input({
    id: uuid,
    name: optional(webhookName),
    url: optional(httpsUrl),
    eventTypes: optional(eventTypes),
    isActive: optional(flag),
    metadata: optional(metadata),
  }),
  wireNames: WIRE_NAMES,
  responses: {
    200: response(responseBody({ success: said, data: shown }), ['data.id'], { mayBeEmpty: true }),
  },
  errors: [400, 401, 403, 404],
  businessErrors: [
    refusal('webhook_url_not_https', 400, 'url must be an https url'),
    webhookNotFound,
    notConfigured,
  ],
  secrets: ['data.apiKey'],
});

/** POST /v1/webhooks/{id}/rotate-key */
export const rotateWebhookKey = defineEndpoint<WebhookIdInput, RotatedWebhook>({
  id: 'webhooks.rotateKey',
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate-key',
  pageAccess: 'never',
  credentials: ['accessToken'],
  routing: 'none',
  retry: 'never',
  input: input({ id: uuid }),
  // The contract shows no body.
  sendsBody: false,
  responses: { 200: response(renewed, ['data.apiKey']) },
  errors: ERRORS,
  businessErrors: REFUSALS,
  secrets: ['data.apiKey'],
  reconcile: {
    details: ['id'],
    takesFromWallets: false,
    isOfTenant: true,
    undecidedBecause: 'no read shows the new key, so it is lost in any case; rotate again',
  },
});

/** DELETE /v1/webhooks/{id} */
export const deleteWebhook = defineEndpoint<WebhookIdInput, SuccessResult>({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  retry: 'idempotent',
  input: input({ id: uuid }),
  responses: { 200: doneResponse },
  errors: ERRORS,
  businessErrors: REFUSALS,
  resultWhenRetried: { webhook_not_found: { resolvedByRetry: true } },
});

/** GET /v1/webhooks (preview) */
export const listWebhooks = defineEndpoint<NoInput, readonly ListedWebhook[]>({
  id: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  stability: 'preview',
  retry: 'safe',
  responses: { 200: observedResponse(list(shown)) },
  businessErrors: [notConfigured],
  secrets: ['apiKey'],
});

/** POST /v1/webhooks (preview) */
export const createWebhook = defineEndpoint<CreateWebhookInput, CreatedWebhook>({
  id: 'webhooks.create',
  method: 'POST',
  path: '/v1/webhooks',
  pageAccess: 'never',
  credentials: ['accessToken'],
  routing: 'none',
  stability: 'preview',
  retry: 'never',
  input: input({
    name: webhookName,
    url: httpsUrl,
    eventTypes,
    isActive: optional(flag),
    metadata: optional(metadata),
  }),
  wireNames: WIRE_NAMES,
  responses: { 200: created, 201: created },
  businessErrors: [notConfigured],
  secrets: ['data.apiKey'],
  reconcile: {
    details: ['name'],
    target: ['name'],
    takesFromWallets: false,
    isOfTenant: true,
    async look({ details, readRows, show }) {
      const rows = await readRows(listWebhooks, {});
      if (rows === undefined) return unclear('the service does not list the webhooks');
      const named = rows.filter((row) => row['name'] == null || row['name'] === details.name);
      show(listWebhooks, named, ['id', 'name', 'createdAt']);
      const effects = named.map((row) => ({
        time: row['createdAt'] as string | null | undefined,
        matches: (other: Readonly<Record<'name', string>>) =>
          row['name'] == null ? ('maybe' as const) : row['name'] === other.name,
      }));
      return { effects };
    },
  },
});

/** GET /v1/webhooks/{id} (preview) */
export const getWebhook = defineEndpoint<WebhookIdInput, ListedWebhook>({
  id: 'webhooks.get',
  method: 'GET',
  path: '/v1/webhooks/{id}',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  stability: 'preview',
  retry: 'safe',
  input: input({ id: uuid }),
  responses: { 200: observedResponse(shown) },
  businessErrors: REFUSALS,
  secrets: ['apiKey'],
});

/** GET /v1/webhooks/{id}/logs (preview) */
export const webhookLogs = defineEndpoint<WebhookLogsInput, WebhookLogs>({
  id: 'webhooks.logs',
  method: 'GET',
  path: '/v1/webhooks/{id}/logs',
  pageAccess: 'on-request',
  credentials: ['accessToken'],
  routing: 'none',
  stability: 'preview',
  retry: 'safe',
  input: input({ id: uuid, limit: optional(wholeNumber) }),
  query: ['limit'],
  responses: {
    200: observedResponse(responseBody({ count: number, logs: list(webhookDelivery) })),
  },
  businessErrors: REFUSALS,
  secrets: ['logs.requestHeaders', 'logs.requestBody', 'logs.responseBody'],
});
