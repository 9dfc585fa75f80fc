import { untilAborted } from '../contract/formats/abort-reason.js';
import { requireLoopback, requireWait } from './check-options.js';
import type { MockClock } from './clock.js';
import { type EventChanges, eventEnvelope } from './event-envelope.js';
import type { Identifiers } from './identifiers.js';
import type { MockDelivery, MockState, MockWebhook } from './state.js';
import { ownerOf } from './tenants.js';
import { signBody } from './webhook-signature.js';

/** An event to deliver to webhooks. */
export type MockEvent = {
  /** For example `card.activated`. */
  type: string;
  /** Data of the event. Default `{}`. */
  data?: Readonly<Record<string, unknown>> | undefined;
  /** What changed. Default: nothing is said about it. */
  changes?: EventChanges | undefined;
  /** Name of the tenant whose webhooks receive it. Default: every tenant. */
  tenant?: string | undefined;
};

/** Options of `deliver`. */
export type DeliveryOptions = {
  /** An http URL on this machine to send to, instead of the webhook's own. */
  to?: string | undefined;
};

/**
 * Sends a delivery to its URL, as `fetch` does. The signal aborts after 30 seconds of real time without
 * a response, and on `reset` and `restore`.
 */
export type WebhookFetch = (
  url: string,
  init: {
    method: 'POST';
    body: string;
    headers: Record<string, string>;
    redirect: 'manual';
    signal: AbortSignal;
  },
) => Promise<Response> | Response;

/** The vendor's pages name the first delay. The others are the mock's own. */
const DEFAULT_RETRY_DELAYS = [1_000, 300_000, 1_800_000, 7_200_000, 43_200_000];
const MAX_LOGGED_CHARACTERS = 1_000;
/** As observed of the service: a receiver must respond within 30 seconds. */
const RESPONSE_LIMIT_MS = 30_000;

// Kept, because a test may replace the timers later.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/** A webhook subscribes to an event by its type, its group (`card.*`) or `*`. */
function isSubscribed({ isActive, eventTypes }: MockWebhook, type: string): boolean {
  const group = `${type.split('.')[0]}.*`;
  return isActive && eventTypes.some((subscribed) => [type, group, '*'].includes(subscribed));
}

/** Sends a delivery, and adds what its receiver responds until the signal aborts. */
async function exchange(
  delivery: MockDelivery,
  send: WebhookFetch,
  signal: AbortSignal,
): Promise<void> {
  const { body, url, to } = delivery;
  const headers = { ...delivery.headers };
  const init = { method: 'POST', body, headers, redirect: 'manual', signal } as const;
  // A snapshot may be from anywhere, and an event must not reach a stranger.
  const response = await send(to === undefined ? url : requireLoopback(to), init);
  if (signal.aborted) return;
  delivery.status = response.status;
  const text = await response.text();
  if (!signal.aborted) delivery.responseBody = text.slice(0, MAX_LOGGED_CHARACTERS);
}

type Context = { state: MockState; readonly clock: MockClock; readonly ids: Identifiers };

/** How deliveries are sent, and when they are sent again. */
export type DeliverySettings = {
  webhookFetch?: WebhookFetch | undefined;
  webhookRetryDelays?: readonly number[] | undefined;
  webhookTime?: (() => number) | undefined;
};

/** Delivers events to webhooks, and delivers them again after a failure of the receiver. */
export class Deliveries {
  readonly #context: Context;
  readonly #send: WebhookFetch | undefined;
  readonly #retryDelays: readonly number[];
  readonly #time: (() => number) | undefined;
  /** The attempts without a result, each with what ends it. */
  readonly #inFlight = new Map<Promise<void>, AbortController>();

  constructor(
    context: Context,
    { webhookFetch, webhookRetryDelays, webhookTime }: DeliverySettings,
  ) {
    this.#context = context;
    this.#time = webhookTime;
    this.#send = webhookFetch;
    this.#retryDelays = (webhookRetryDelays ?? DEFAULT_RETRY_DELAYS).map((delay) =>
      requireWait('webhookRetryDelays', delay),
    );
  }

  /** Signs an event for every webhook that subscribes to it, and starts to send it. */
  emit({ type, data = {}, changes, tenant }: MockEvent, to?: string): MockDelivery[] {
    const { state, clock, ids } = this.#context;
    const isOf = (one: MockWebhook) =>
      tenant === undefined || one.forwardsTo !== undefined || ownerOf(state, one) === tenant;
    const subscribed = state.webhooks.filter((one) => isSubscribed(one, type) && isOf(one));
    if (subscribed.length === 0) return [];
    const eventId = ids.uuid();
    const facts = { eventId, eventType: type, createdAt: clock.iso(), data, changes };
    const envelope = eventEnvelope(facts, state.choices.eventEnvelope);
    const event = { eventId, eventType: type, body: JSON.stringify(envelope), to };
    return subscribed.map((webhook) => this.#attempt(webhook, event, 1));
  }

  /** Lets what was on its way when a snapshot was taken be sent again: its response never comes. */
  resume(now: number): void {
    const nextRetryAt = new Date(now).toISOString();
    for (const delivery of this.#context.state.deliveries) {
      if (delivery.deliveryStatus !== 'processing') continue;
      Object.assign(delivery, { deliveryStatus: 'pending', nextRetryAt });
    }
  }

  /** Starts the next attempt of every delivery that is due. */
  retryDue(): void {
    const { state, clock } = this.#context;
    for (const failed of [...state.deliveries]) {
      const { deliveryStatus, nextRetryAt, webhookId, attemptNumber } = failed;
      if (deliveryStatus !== 'pending' || nextRetryAt === null) continue;
      if (Date.parse(nextRetryAt) > clock.now()) continue;
      Object.assign(failed, { deliveryStatus: 'failed', nextRetryAt: null });
      // A webhook that was deleted or paused in the meantime, or no longer wants this type, gets nothing more.
      const webhook = state.webhooks.find(
        (one) => one.id === webhookId && isSubscribed(one, failed.eventType),
      );
      if (webhook !== undefined) this.#attempt(webhook, failed, attemptNumber + 1);
    }
  }

  /** Starts another attempt of a delivery now, instead of the one that is scheduled. */
  sendAgain(webhook: MockWebhook, delivery: MockDelivery): void {
    if (delivery.deliveryStatus === 'pending') delivery.deliveryStatus = 'failed';
    delivery.nextRetryAt = null;
    this.#attempt(webhook, delivery, delivery.attemptNumber + 1);
  }

  /** Waits until every attempt that was started has its result. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight.keys());
  }

  /** Ends the attempts without a result: their deliveries are no longer part of the state. */
  abandon(): void {
    for (const attempt of this.#inFlight.values()) attempt.abort();
  }

  #attempt(
    webhook: MockWebhook,
    event: Pick<MockDelivery, 'eventId' | 'eventType' | 'body' | 'to'>,
    attemptNumber: number,
  ): MockDelivery {
    const { state, clock, ids } = this.#context;
    const { eventId, eventType, body } = event;
    // An earlier attempt may have been forwarded to a URL that no longer exists.
    const to = webhook.forwardsTo ?? event.to;
    // What leaves this process is compared with the clock of the receiver.
    const signedAt = this.#time?.() ?? (to === undefined ? clock.now() : Date.now());
    const delivery: MockDelivery = {
      id: ids.uuid(),
      webhookId: webhook.id,
      eventId,
      eventType,
      attemptNumber,
      url: webhook.url,
      ...signBody(webhook.apiKey, body, signedAt),
      status: null,
      responseBody: null,
      errorMessage: null,
      deliveryStatus: 'pending',
      createdAt: clock.iso(),
      nextRetryAt: null,
      ...(to !== undefined && { to }),
    };
    state.deliveries.push(delivery);
    const send = to === undefined ? this.#send : fetch;
    if (send !== undefined) this.#start(delivery, send);
    return delivery;
  }

  #start(delivery: MockDelivery, send: WebhookFetch): void {
    delivery.deliveryStatus = 'processing';
    const attempt = new AbortController();
    const running = this.#run(delivery, send, attempt).finally(() => {
      this.#inFlight.delete(running);
    });
    this.#inFlight.set(running, attempt);
  }

  async #run(delivery: MockDelivery, send: WebhookFetch, attempt: AbortController): Promise<void> {
    const { signal } = attempt;
    // Of real time: a jump of the platform's clock says nothing about a receiver that is at work.
    const timer = startTimer(
      () => attempt.abort(new Error('the receiver did not respond within 30 seconds')),
      RESPONSE_LIMIT_MS,
    );
    // A program that has ended does not wait for a receiver.
    (Object(timer) as { unref?: () => void }).unref?.();
    try {
      await untilAborted(signal, exchange(delivery, send, signal));
    } catch (error) {
      // A receiver whose status came has responded, also where its body breaks off or never ends.
      if (delivery.status === null) {
        delivery.errorMessage = error instanceof Error ? error.message : 'the request failed';
      }
    }
    stopTimer(timer);
    this.#settle(delivery);
  }

  /** Schedules another attempt after a 5xx or no response, but not after a 4xx. */
  #settle(delivery: MockDelivery): void {
    const { status, attemptNumber, eventId, webhookId } = delivery;
    if (status !== null && status >= 200 && status < 300) {
      delivery.deliveryStatus = 'success';
      return;
    }
    // A request may have started the next attempt while this one was on its way.
    const isFollowed = this.#context.state.deliveries.some(
      (one) =>
        one.eventId === eventId && one.webhookId === webhookId && one.attemptNumber > attemptNumber,
    );
    const mayHelp = !isFollowed && (status === null || status >= 500);
    const delay = mayHelp ? this.#retryDelays[attemptNumber - 1] : undefined;
    delivery.deliveryStatus = delay === undefined ? 'failed' : 'pending';
    if (delay === undefined) return;
    delivery.nextRetryAt = new Date(this.#context.clock.now() + delay).toISOString();
  }
}

/** Returns an attempt as the log of its webhook shows it. */
export function logEntryOf({
  url: requestUrl,
  headers: requestHeaders,
  body,
  status: responseStatus,
  eventType: _,
  to: __,
  ...shown
}: MockDelivery): Record<string, unknown> {
  const requestBody: unknown = JSON.parse(body);
  return { ...shown, requestUrl, requestHeaders, requestBody, responseStatus, durationMs: 0 };
}
