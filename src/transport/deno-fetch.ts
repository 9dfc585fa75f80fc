type HttpClient = { close(): void };
type Deno = { createHttpClient?(options: { poolMaxIdlePerHost: number }): HttpClient };
type Fetch = (url: string, init: { headers: Record<string, string> }) => Promise<Response>;

/**
 * Deno's `fetch`, which sends a request again by itself, a POST included, when a connection that it
 * reused breaks before an answer began: what may be sent once only gets a connection of its own.
 * `undefined` on other runtimes.
 */
export function denoFetch(globals: object = globalThis): Fetch | undefined {
  const { Deno, fetch } = globals as { Deno?: Deno; fetch: Fetch };
  if (Deno?.createHttpClient === undefined) return undefined;
  return async (url, init) => {
    const client =
      init.headers['connection'] === 'close'
        ? Deno.createHttpClient?.({ poolMaxIdlePerHost: 0 })
        : undefined;
    if (client === undefined) return fetch(url, init);
    try {
      return await fetch(url, Object.assign({}, init, { client }));
    } finally {
      // The body can still be read: what is closed takes no further requests.
      client.close();
    }
  };
}
