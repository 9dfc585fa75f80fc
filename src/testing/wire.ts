import type { MockResponse } from './behaviour.js';
import { nearestEndpoint } from './routing.js';

/** A body as JSON where it is JSON; `undefined` for none. */
export function parseBody(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** An answer as `fetch` gives it. */
export function toResponse({ status, body, headers }: MockResponse, now: number): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  const date = new Date(now).toUTCString();
  return new Response(text, { status, headers: { 'content-type': type, date, ...headers } });
}

/** What a request is told that no endpoint takes. Its body is not repeated. */
export function unhandled(method: string, url: URL, pathname: string): Error {
  const nearest = nearestEndpoint(method, pathname);
  return new Error(
    `the mock platform has no endpoint for ${method} ${url.origin}${pathname}. ` +
      `The nearest is ${nearest?.method} ${nearest?.path} (${nearest?.id}).`,
  );
}
