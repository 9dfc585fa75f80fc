import type { Exchange } from './exchange.js';
import type { Finding } from './finding.js';

const KNOWN: ReadonlySet<string> = new Set(
  `application/json application/problem+json application/x-www-form-urlencoded application/xml
  application/octet-stream application/pdf application/graphql application/x-ndjson
  multipart/form-data text/html text/plain text/xml text/css text/csv text/javascript
  text/event-stream image/png image/jpeg image/gif image/webp image/svg+xml */*`.split(/\s+/),
);

function nameOf(header: string): string {
  const [type = ''] = header.split(/[;,]/);
  return type.trim().toLowerCase();
}

/** Returns a media type without its parameters; `other` for one that could be anything. */
export function mediaTypeOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const name = nameOf(header);
  return KNOWN.has(name) ? name : 'other';
}

/** Whether a media type is a form of JSON, such as `application/vnd.api+json`. */
export const isJsonType = (header: string): boolean => /[/+]json$/.test(nameOf(header));

/** Returns the difference of a file that has none of its media types. */
export function fileTypeFindings(
  { request, response }: Exchange,
  known: readonly string[],
): Finding[] {
  const type = mediaTypeOf(response.headers['content-type']);
  // The app may ask for another type.
  const accepted = mediaTypeOf(request.headers['accept']);
  if (type !== undefined && [...known, accepted].includes(type)) return [];
  const message = `the contract has ${known.join(' or ')}, this is ${type ?? 'no media type'}`;
  return [{ kind: 'other-media-type', path: '', message }];
}

/** Returns the difference of a body that is not JSON. An empty body or a known form has none. */
export function mediaTypeFindings({ headers, body }: Exchange['request']): Finding[] {
  if (body.kind === 'empty' || body.kind === 'form') return [];
  const type = mediaTypeOf(headers['content-type']);
  const isJson = type === 'application/json' || type === 'application/problem+json';
  if (isJson && body.kind === 'json') return [];
  const message = isJson
    ? 'the body is not readable JSON'
    : `the contract has application/json, this is ${type ?? 'no media type'}`;
  return [{ kind: 'other-media-type', path: '', message }];
}
