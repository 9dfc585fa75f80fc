import type { MockResponse } from './behaviour.js';
import { nearestEndpoint } from './routing.js';

/** Parses a body as JSON. Returns other text unchanged, and `undefined` for an empty body. */
export function parseBody(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Converts a response of the mock to a `Response`. */
export function toResponse({ status, body, headers }: MockResponse, now: number): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  const date = new Date(now).toUTCString();
  return new Response(text, { status, headers: { 'content-type': type, date, ...headers } });
}

/** Returns the error for a request to an unknown endpoint. It contains no body. */
export function unknownEndpointError(method: string, origin: string, pathname: string): Error {
  const nearest = nearestEndpoint(method, pathname);
  return new Error(
    `the mock platform has no endpoint for ${method} ${origin}${pathname}. ` +
      `The nearest is ${nearest?.method} ${nearest?.path} (${nearest?.id}).`,
  );
}
