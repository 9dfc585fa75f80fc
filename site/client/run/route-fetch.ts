type Fetch = typeof globalThis.fetch;

const native: Fetch = globalThis.fetch.bind(globalThis);
let target: Fetch = native;

// Set once and never removed: a library may keep the `fetch` that it finds when it is loaded.
globalThis.fetch = (input, init) => target(input, init);

/** Starts or stops sending the requests of programs that create their own clients to a platform. */
export function routeFetch(fetch: Fetch | undefined): void {
  target = fetch ?? native;
}
