const KNOWN: ReadonlySet<string> = new Set(
  `application/json application/problem+json application/x-www-form-urlencoded application/xml
  application/octet-stream application/pdf application/graphql application/x-ndjson
  multipart/form-data text/html text/plain text/xml text/css text/csv text/javascript
  text/event-stream image/png image/jpeg image/gif image/webp image/svg+xml */*`.split(/\s+/),
);

/** Returns a media type without its parameters; `other` for one that could be anything. */
export function mediaTypeOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [type = ''] = header.split(/[;,]/);
  const name = type.trim().toLowerCase();
  return KNOWN.has(name) ? name : 'other';
}

/** Whether a media type is JSON, as the contract has it. */
export const isJsonType = (type: string | undefined): boolean =>
  type === 'application/json' || type === 'application/problem+json';
