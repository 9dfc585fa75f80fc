import type { SendByFetch } from './fetch.js';

type HttpClient = { close(): void };
type Deno = { createHttpClient?(options: { poolMaxIdlePerHost: number }): HttpClient };
type Fetch = (url: string, init: object) => Promise<Response>;

/**
 * Deno's `fetch` sends a request again, a POST included, when a reused connection breaks before a
 * response begins. A request that must arrive only once therefore gets a connection of its own.
 * `undefined` on other runtimes.
 */
export function denoFetch(globals: object = globalThis): SendByFetch | undefined {
  const { Deno } = globals as { Deno?: Deno };
  if (Deno?.createHttpClient === undefined) return undefined;
  return async (url, init, { onlyOnce }) => {
    const { fetch } = globals as { fetch: Fetch };
    const client = onlyOnce ? Deno.createHttpClient?.({ poolMaxIdlePerHost: 0 }) : undefined;
    if (client === undefined) return fetch(url, init);
    try {
      return await fetch(url, { ...init, client });
    } finally {
      // The body can still be read: a closed client only refuses further requests.
      client.close();
    }
  };
}
