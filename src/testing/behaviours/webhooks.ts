import {
  type Behaviours,
  errorResponse,
  type MockCall,
  type MockResponse,
  ok,
  textOf,
  withNotificationService,
} from '../behaviour.js';
import { logEntryOf } from '../deliveries.js';
import type { MockWebhook } from '../state.js';
import { ownerOf } from '../tenants.js';

const MAX_WEBHOOKS = 5;

function mask(apiKey: string): string {
  return `${apiKey.slice(0, 6)}${'*'.repeat(8)}${apiKey.slice(-4)}`;
}

const masked = (webhook: MockWebhook) => ({ ...webhook, apiKey: mask(webhook.apiKey) });
const newKey = ({ ids }: MockCall) => `whk_${ids.hex(40)}`;

/** The webhooks of the tenant of a request. */
const webhooksOf = ({ state, tenant }: MockCall) =>
  state.webhooks.filter(
    (webhook) => webhook.forwardsTo === undefined && ownerOf(state, webhook) === tenant,
  );

function findWebhook(call: MockCall): MockWebhook | undefined {
  const id = textOf(call, 'id').toLowerCase();
  return webhooksOf(call).find((webhook) => webhook.id === id);
}

/** Runs a behaviour for the webhook that a request names. Responds 404 when there is none. */
const withWebhook = (behaviour: (call: MockCall, webhook: MockWebhook) => MockResponse) =>
  withNotificationService((call: MockCall) => {
    const webhook = findWebhook(call);
    return webhook === undefined
      ? errorResponse(404, 'Webhook config not found')
      : behaviour(call, webhook);
  });

const CHANGEABLE = ['name', 'url', 'eventTypes', 'isActive', 'metadata'] as const;

/** Behaviours of the webhook endpoints. */
export const webhookBehaviours: Behaviours = {
  'webhooks.update': withWebhook((call, webhook) => {
    const changes = CHANGEABLE.filter((field) => call.input[field] !== undefined);
    const values = Object.fromEntries(changes.map((field) => [field, call.input[field]]));
    Object.assign(webhook, values, { updatedAt: call.clock.iso() });
    return ok({ success: true, data: masked(webhook) });
  }),

  'webhooks.rotateKey': withWebhook((call, webhook) => {
    webhook.apiKey = newKey(call);
    webhook.updatedAt = call.clock.iso();
    return ok({ success: true, data: webhook });
  }),

  'webhooks.delete': withWebhook(({ state }, webhook) => {
    state.webhooks = state.webhooks.filter((other) => other !== webhook);
    return ok({ success: true });
  }),

  'webhooks.list': withNotificationService((call) => ok(webhooksOf(call).map(masked))),

  'webhooks.create': withNotificationService((call) => {
    const { state, input, clock, ids, tenant } = call;
    if (webhooksOf(call).length >= MAX_WEBHOOKS) {
      return errorResponse(400, `Maximum webhook limit (${MAX_WEBHOOKS}) reached for this tenant`);
    }
    const now = clock.iso();
    const webhook: MockWebhook = {
      id: ids.uuid(),
      tenant,
      name: textOf(call, 'name'),
      url: textOf(call, 'url'),
      apiKey: newKey(call),
      eventTypes: [...(input['eventTypes'] as string[])],
      isActive: (input['isActive'] ?? state.choices.newWebhook === 'active') === true,
      metadata: { ...(input['metadata'] as object | undefined) },
      createdAt: now,
      updatedAt: now,
    };
    state.webhooks.push(webhook);
    return ok({ success: true, data: webhook }, 201);
  }),

  'webhooks.get': withWebhook((_call, webhook) => ok(masked(webhook))),

  'webhooks.logs': withWebhook(({ state, input }, webhook) => {
    const logs = state.deliveries.filter(({ webhookId }) => webhookId === webhook.id).reverse();
    const shown = logs.slice(0, Number(input['limit'] ?? logs.length)).map(logEntryOf);
    return ok({ count: shown.length, logs: shown });
  }),
};
