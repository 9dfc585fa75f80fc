import { isObject } from '../../contract/formats/is-object.js';
import {
  errorResponse,
  type MockResponse,
  ok,
  textOf,
  withNotificationService,
} from '../behaviour.js';
import { logEntryOf } from '../deliveries.js';
import { dataOfEvent } from '../event-envelope.js';
import type { MockDelivery, MockState, MockWebhook } from '../state.js';
import { DEFAULT_TENANT, ownerOf } from '../tenants.js';
import type { ObservedBehaviours, ObservedCall } from './observed-call.js';

/** The statuses by which events are listed. No event of the mock is skipped. */
export const EVENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'skipped'] as const;

const DEFAULT_LIMIT = 50;

/** An event that was sent to webhooks, and every attempt to deliver it, oldest first. */
type SentEvent = { eventId: string; first: MockDelivery; attempts: MockDelivery[] };

function dataOf({ body }: MockDelivery): Readonly<Record<string, unknown>> {
  const data = dataOfEvent(body);
  return isObject(data) ? data : {};
}

const userIdOf = (delivery: MockDelivery) => {
  const { userId } = dataOf(delivery);
  return typeof userId === 'string' ? userId : null;
};

function tenantOf(state: MockState, delivery: MockDelivery): string | undefined {
  const webhook = state.webhooks.find(({ id }) => id === delivery.webhookId);
  if (webhook?.forwardsTo !== undefined) return undefined;
  if (webhook !== undefined) return ownerOf(state, webhook);
  // A webhook that was deleted in the meantime.
  const userId = userIdOf(delivery);
  return state.users.find(({ id }) => id === userId)?.tenant ?? DEFAULT_TENANT;
}

/** Returns the events of the tenant, newest first. */
function eventsOf({ state, tenant }: ObservedCall): SentEvent[] {
  const byId = new Map<string, SentEvent>();
  for (const delivery of state.deliveries) {
    if (tenantOf(state, delivery) !== tenant) continue;
    const { eventId } = delivery;
    const event = byId.get(eventId) ?? { eventId, first: delivery, attempts: [] };
    event.attempts.push(delivery);
    byId.set(eventId, event);
  }
  return [...byId.values()].reverse();
}

/** The last attempt at each webhook. */
const lastAttempts = ({ attempts }: SentEvent): MockDelivery[] => [
  ...new Map(attempts.map((one) => [one.webhookId, one])).values(),
];

function statusOf(event: SentEvent): (typeof EVENT_STATUSES)[number] {
  const found = lastAttempts(event).map(({ deliveryStatus }) => deliveryStatus);
  const open = (['processing', 'pending', 'failed'] as const).find((one) => found.includes(one));
  return open ?? 'completed';
}

/** The id of an event differs from its event id. The path accepts either. */
const idOf = ({ eventId }: SentEvent) => `evt_${eventId}`;

function shortEvent(event: SentEvent) {
  const { eventId, first, attempts } = event;
  const status = statusOf(event);
  const isDone = status === 'completed' || status === 'failed';
  const processedAt = isDone ? (attempts.at(-1)?.createdAt ?? null) : null;
  const { eventType, createdAt } = first;
  return { id: idOf(event), eventId, status, eventType, createdAt, processedAt };
}

function shownEvent({ tenant }: ObservedCall, event: SentEvent) {
  const { first } = event;
  return {
    ...shortEvent(event),
    tenant,
    payload: dataOf(first),
    userId: userIdOf(first),
    sourceService: 'mock-platform',
    queuedAt: first.createdAt,
  };
}

const withEvent = (behaviour: (call: ObservedCall, event: SentEvent) => MockResponse) =>
  withNotificationService((call: ObservedCall) => {
    const id = textOf(call, 'eventId');
    const event = eventsOf(call).find((one) => one.eventId === id || idOf(one) === id);
    return event === undefined ? errorResponse(404, 'Event not found') : behaviour(call, event);
  });

/** A webhook, and the attempt that is sent to it again. */
type Receiver = { webhook: MockWebhook; last: MockDelivery };

function receiversOf({ state, input }: ObservedCall, event: SentEvent): Receiver[] {
  const { webhookId } = input;
  return lastAttempts(event).flatMap((last) => {
    const webhook = state.webhooks.find(({ id, isActive }) => id === last.webhookId && isActive);
    const isRequested =
      webhookId === undefined || webhookId === null || webhookId === last.webhookId;
    return webhook !== undefined && isRequested ? [{ webhook, last }] : [];
  });
}

/** The events that the platform has delivered, or tries to deliver. */
export const webhookEventBehaviours: ObservedBehaviours = {
  'webhooks.events.list': withNotificationService((call) => {
    const { status, limit } = call.input;
    const found = eventsOf(call).filter((event) => !status || statusOf(event) === status);
    const shown = found.slice(0, Number(limit ?? DEFAULT_LIMIT));
    return ok({ total: found.length, events: shown.map((event) => shownEvent(call, event)) });
  }),

  'webhooks.events.status': withEvent((_call, event) => ok(shortEvent(event))),

  'webhooks.events.logs': withEvent((call, event) =>
    ok({ event: shownEvent(call, event), logs: [...event.attempts].reverse().map(logEntryOf) }),
  ),

  'webhooks.events.retry': withEvent((call, event) => {
    const { eventId } = event;
    const receivers = receiversOf(call, event);
    if (receivers.length === 0) return errorResponse(400, 'No active webhook for this event');
    for (const { webhook, last } of receivers) {
      call.simulation.deliveries.sendAgain(webhook, last);
    }
    const message = 'Event is queued for delivery';
    return ok({ success: true, data: { eventId, webhookCount: receivers.length, message } });
  }),
};
