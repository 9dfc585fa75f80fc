const DATE_AND_TIME =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/;

/** Whether a value is a date of the calendar, with or without a time, in the form of ISO 8601. */
export function isIsoDate(value: unknown): boolean {
  const day = typeof value === 'string' ? DATE_AND_TIME.exec(value)?.[1] : undefined;
  if (day === undefined) return false;
  // Every month has 28 days, and a `Date` takes longer than all other checks of a response.
  if (day.slice(-2) <= '28') return true;
  // `Date` turns a day that its month does not have into another day, or into an invalid date.
  return new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
}
