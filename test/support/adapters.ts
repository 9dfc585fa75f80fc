import { CardPlatformClient } from '../../src/client.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';

/** The HTTP adapters: over node:http, through ky, and over a `fetch` of the caller's. */
export const ADAPTERS = ['node-http', 'ky', 'fetch'] as const;

export type AdapterName = (typeof ADAPTERS)[number];

/** Makes something while this process looks like a runtime other than Node. */
export function asAnotherRuntime<T>(make: () => T): T {
  Object.defineProperty(process.versions, 'bun', { value: '1.0.0', configurable: true });
  try {
    return make();
  } finally {
    Reflect.deleteProperty(process.versions, 'bun');
  }
}

/** Makes something while this process looks like a page in a browser. */
export function inBrowser<T>(make: () => T): T {
  const isMissing = !('document' in globalThis);
  if (isMissing) Object.defineProperty(globalThis, 'document', { value: {}, configurable: true });
  try {
    return asAnotherRuntime(make);
  } finally {
    if (isMissing) Reflect.deleteProperty(globalThis, 'document');
  }
}

/** A client that sends through one adapter, whatever the runtime would have chosen. */
export function clientOver(adapter: AdapterName, options: ClientOptions): CardPlatformClient {
  // The adapter is chosen when the client is made, so the disguise ends with that.
  if (adapter === 'ky') return asAnotherRuntime(() => new CardPlatformClient(options));
  const fetch: ClientOptions['fetch'] = (url, init) => globalThis.fetch(url, init);
  return new CardPlatformClient(adapter === 'fetch' ? { ...options, fetch } : options);
}
