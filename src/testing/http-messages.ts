import type { MockResponse } from './behaviour.js';

/** Parses a body as JSON. Returns other text unchanged, and `undefined` for an empty body. */
export function parseBody(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Statuses whose responses have no body. */
const WITHOUT_BODY = [204, 205, 304];

function encode(body: unknown): { type: string; content: string | Uint8Array<ArrayBuffer> } {
  if (body instanceof Uint8Array) {
    return { type: 'application/octet-stream', content: new Uint8Array(body) };
  }
  if (typeof body === 'string') return { type: 'text/plain', content: body };
  return { type: 'application/json', content: JSON.stringify(body) };
}

/** Converts a response of the mock to a `Response`. */
export function toResponse({ status, body, headers }: MockResponse, now: number): Response {
  const { type, content } = encode(body);
  const date = new Date(now).toUTCString();
  return new Response(WITHOUT_BODY.includes(status) ? null : content, {
    status,
    headers: { 'content-type': type, date, ...headers },
  });
}
