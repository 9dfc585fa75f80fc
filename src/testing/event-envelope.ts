/** How the fields around the data of an event are named. The first is the default. */
export const EVENT_ENVELOPES = ['vendor', 'snake_case', 'camelCase'] as const;

/** A value of {@link EVENT_ENVELOPES}. */
export type EventEnvelope = (typeof EVENT_ENVELOPES)[number];

/** What changed, as far as the mock knows it. */
export type EventChanges = {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
};

/** An event and the facts around it. */
export type EventFacts = {
  eventId: string;
  eventType: string;
  createdAt: string;
  data: Readonly<Record<string, unknown>>;
  changes?: EventChanges | undefined;
};

/**
 * Returns the body of a delivery. The contract does not show it. `vendor` has the fields that the
 * vendor's public pages name; their values beyond id, type and time are the mock's own.
 */
export function eventEnvelope(facts: EventFacts, envelope: EventEnvelope): Record<string, unknown> {
  const { eventId, eventType, createdAt, data, changes } = facts;
  if (envelope === 'camelCase') return { eventId, eventType, createdAt, data };
  const event = { event_id: eventId, event_type: eventType };
  if (envelope === 'snake_case') return { ...event, created_at: createdAt, data };
  const { userId } = data;
  return {
    api_version: 'v1',
    ...event,
    event_category: eventType.split('.')[0],
    user_id: typeof userId === 'string' ? userId : null,
    occurred_at: createdAt,
    event_object: data,
    event_object_changes: changes ?? null,
  };
}

/** Returns the data of an event, whichever envelope its body has. */
export function dataOfEvent(body: string): unknown {
  const { event_object, data = event_object }: { event_object?: unknown; data?: unknown } =
    JSON.parse(body);
  return data;
}
