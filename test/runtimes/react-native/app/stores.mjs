// Stores of a phone, as a Map behind their methods.

/** Has the methods of AsyncStorage: every result comes later. */
export function asyncStorage() {
  const items = new Map();
  const later = () => new Promise((resolve) => setTimeout(resolve, 0));
  return {
    items,
    async getItem(key) {
      await later();
      return items.get(key) ?? null;
    },
    async setItem(key, value) {
      await later();
      items.set(key, String(value));
    },
    async removeItem(key) {
      await later();
      items.delete(key);
    },
  };
}

/** The changes of an app wait for each other. */
let last = Promise.resolve();

/** Returns the store that journal and sessions take. */
export const storeOf = (storage) => ({
  get: (key) => storage.getItem(key),
  set: (key, value) => storage.setItem(key, value),
  delete: (key) => storage.removeItem(key),
  async update(key, change) {
    const done = last.then(async () => {
      const next = change((await storage.getItem(key)) ?? undefined);
      await (next === undefined ? storage.removeItem(key) : storage.setItem(key, next));
    });
    last = done.catch(() => undefined);
    await done;
  },
});
