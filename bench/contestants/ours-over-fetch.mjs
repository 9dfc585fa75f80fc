import { connect as connectOurs } from './ours.mjs';

/** What our client costs where there is no `node:http`, or where `fetch` has been replaced. */
export function connect(baseUrl) {
  return connectOurs(baseUrl, { fetch: (url, init) => fetch(url, init) });
}
