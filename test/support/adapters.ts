import { CardPlatformClient } from '../../src/client.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';

/** The HTTP adapters: `node:http`, ky, and a `fetch` that the caller passes. */
export const ADAPTERS = ['node-http', 'ky', 'fetch'] as const;

export type AdapterName = (typeof ADAPTERS)[number];

/** Runs `make` while this process looks like a runtime other than Node, and returns its result. */
export function asAnotherRuntime<T>(make: () => T): T {
  Object.defineProperty(process.versions, 'bun', { value: '1.0.0', configurable: true });
  try {
    return make();
  } finally {
    Reflect.deleteProperty(process.versions, 'bun');
  }
}

/** Runs `make` while this process looks like a browser page, and returns its result. */
export function inBrowser<T>(make: () => T): T {
  const isMissing = !('document' in globalThis);
  if (isMissing) Object.defineProperty(globalThis, 'document', { value: {}, configurable: true });
  try {
    return asAnotherRuntime(make);
  } finally {
    if (isMissing) Reflect.deleteProperty(globalThis, 'document');
  }
}

/** Creates a client that uses the given adapter, regardless of what this runtime would choose. */
export function clientOver(adapter: AdapterName, options: ClientOptions): CardPlatformClient {
  // The client chooses its adapter when it is created, so the process must look like another
  // runtime until then.
  if (adapter === 'ky') return asAnotherRuntime(() => new CardPlatformClient(options));
  const fetch: ClientOptions['fetch'] = (url, init) => globalThis.fetch(url, init);
  return new CardPlatformClient(adapter === 'fetch' ? { ...options, fetch } : options);
}
