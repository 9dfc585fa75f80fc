/** The compiler, which a script of its own has loaded. */
export default new Proxy({} as typeof globalThis.ts, {
  get: (_, name) => Reflect.get(globalThis.ts, name),
});
