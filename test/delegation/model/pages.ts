import { vi } from 'vitest';

/** The part of a copy of the package that a page uses. */
export type PackageCopy = typeof import('../toy-chain/delegate.js');

/** A browser tab: its own copy of the package, with the flows that run there. */
export type Tab = { readonly copy: PackageCopy; readonly flights: Map<string, unknown> };

const FLIGHTS = Symbol.for('card-platform-sdk.delegations');

/** Loads a copy of the package as another tab would: nothing in memory is shared. */
export async function openTab(): Promise<Tab> {
  const shared = globalThis as { [FLIGHTS]?: Map<string, unknown> };
  const own = shared[FLIGHTS];
  const flights = new Map<string, unknown>();
  shared[FLIGHTS] = flights;
  vi.resetModules();
  const copy = await import('../toy-chain/delegate.js');
  if (own === undefined) delete shared[FLIGHTS];
  else shared[FLIGHTS] = own;
  return { copy, flights };
}

/** The locks of a browser: tabs share them, and a closed tab has none. */
export class BrowserLocks {
  readonly #holders = new Map<string, object>();

  of(page: { isClosed: boolean }) {
    return {
      request: async (
        name: string,
        _: { ifAvailable: true },
        callback: (lock: object | null) => Promise<void>,
      ) => {
        await Promise.resolve();
        if (this.#holders.has(name)) return callback(null);
        this.#holders.set(name, page);
        await callback({}).finally(() => {
          if (this.#holders.get(name) === page) this.#holders.delete(name);
        });
      },
    };
  }

  releaseAll(page: object): void {
    for (const [name, holder] of this.#holders) {
      if (holder === page) this.#holders.delete(name);
    }
  }

  isHeldBy(page: object): boolean {
    return [...this.#holders.values()].includes(page);
  }
}
