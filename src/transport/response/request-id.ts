import type { ResponseHeaders } from './http-response.js';

const NAMES = ['x-request-id', 'x-correlation-id', 'x-amzn-trace-id'] as const;
const LONGEST = 200;

/** The id that the service, or a proxy in front of it, assigned to a request; for its support. */
export function requestIdOf(headers: Pick<ResponseHeaders, 'get'>): string | undefined {
  for (const name of NAMES) {
    const id = headers.get(name);
    if (id !== null && /^[\x21-\x7e]+$/.test(id) && id.length <= LONGEST) return id;
  }
  return undefined;
}
