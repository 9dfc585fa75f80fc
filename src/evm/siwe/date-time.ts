const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/**
 * Parses an RFC 3339 date-time to milliseconds since 1970; `NaN` for anything else and for days
 * that do not exist.
 */
export function parseDateTime(text = ''): number {
  const match = DATE_TIME.exec(text) ?? [];
  const part = (index: number) => Number(match[index] ?? 0);
  const date = new Date(0);
  // `Date.UTC` takes a year below 100 for one of the 20th century.
  date.setUTCFullYear(part(1), part(2) - 1, part(3));
  if (date.getUTCMonth() !== part(2) - 1 || date.getUTCDate() !== part(3)) return Number.NaN;
  const offset = (part(9) * 60 + part(10)) * (match[8] === '-' ? -60_000 : 60_000);
  return date.setUTCHours(part(4), part(5), part(6), Math.trunc(part(7) * 1000)) - offset;
}
