import { singleProcessStore } from 'card-platform-sdk/stores';

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

/** Returns the store that journal and sessions take. */
export const storeOf = (storage) =>
  singleProcessStore({
    get: (key) => storage.getItem(key),
    set: (key, value) => storage.setItem(key, value),
    delete: (key) => storage.removeItem(key),
  });
