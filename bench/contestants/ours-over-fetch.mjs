import { connect as connectOurs } from './ours.mjs';

/** Measures our client where there is no `node:http`, or where `fetch` was replaced. */
export function connect(baseUrl) {
  return connectOurs(baseUrl, { fetch: (url, init) => fetch(url, init) });
}
