/** Stands in for vitest in the setups of the guides: the tests check, the page only shows. */
const passes: object = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' ? undefined : passes),
  apply: () => passes,
});

export const expect = () => passes;

const replaced = new Map<string, PropertyDescriptor | undefined>();

export const vi = {
  fn: () => () => undefined,
  stubGlobal(name: string, value: unknown): void {
    if (!replaced.has(name)) {
      replaced.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    }
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  },
  unstubAllGlobals(): void {
    for (const [name, before] of replaced) {
      Reflect.deleteProperty(globalThis, name);
      if (before !== undefined) Object.defineProperty(globalThis, name, before);
    }
    replaced.clear();
  },
};

/**
 * Lets the page play the part of a server, where guides create clients with secret keys: the package
 * refuses these keys in a browser, and takes a Worker for a server.
 */
export function actAsServer(): void {
  const real = navigator;
  const get = (_: object, name: string) =>
    name === 'userAgent' ? 'Cloudflare-Workers' : Reflect.get(real, name, real);
  vi.stubGlobal('navigator', new Proxy(real, { get }));
}
