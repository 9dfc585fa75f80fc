/** An event and the facts around it. */
export type EventFacts = {
  eventId: string;
  eventType: string;
  createdAt: string;
  data: Readonly<Record<string, unknown>>;
};

/** Returns the body of a delivery. The contract does not show the spelling of its fields. */
export function eventEnvelope(facts: EventFacts, isCamelCase: boolean): Record<string, unknown> {
  const { eventId, eventType, createdAt, data } = facts;
  if (isCamelCase) return { ...facts };
  return { event_id: eventId, event_type: eventType, created_at: createdAt, data };
}
