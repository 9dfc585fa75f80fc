import { ConfigurationError } from '../errors/index.js';
import { JOURNAL_PAGES, type KeyValueStore } from './key-value-store.js';

const VALUES = 'values';

/** What Chromium says about a database that it creates: `total` if it has deleted an earlier one. */
type CreationEvent = { readonly dataLoss?: string };

function open(name: string): Promise<IDBDatabase> {
  const { indexedDB } = globalThis as { indexedDB?: IDBFactory };
  if (indexedDB === undefined) {
    throw new ConfigurationError(
      'store',
      'this runtime has no IndexedDB. Use folderStore on a server, or a store of your own.',
    );
  }
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = (event) => {
      const values = request.result.createObjectStore(VALUES);
      const { dataLoss = 'none' } = event as CreationEvent;
      // The journal lists a page that is no JSON as damaged. An empty one would say that nothing was sent.
      if (dataLoss !== 'none') values.put('deleted by the browser', `${JOURNAL_PAGES}0`);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * A store in IndexedDB: for pages, workers and service workers. Every change is one transaction, so
 * tabs and workers of the same origin may share it. A write resolves when it is on disk.
 *
 * Browsers may delete the data of a site that nobody visits; `navigator.storage.persist()` asks them
 * not to. Chromium also deletes all databases of a site when it finds them damaged, for example after
 * it was killed while a page wrote. It says so to the first database that a page opens: if that is
 * this one, the journal lists an `unreadable` entry. Other deletions cannot be told from a first visit.
 *
 * @param name - the name of the database. Default `card-platform-sdk`
 * @throws ConfigurationError for a name that is empty or not text; at first use, if there is no
 *   IndexedDB
 * @example
 * ```ts
 * import { createSessions } from 'card-platform-sdk/sessions';
 * import { indexedDbStore } from 'card-platform-sdk/stores';
 *
 * const sessions = createSessions({ store: indexedDbStore() });
 * ```
 */
export function indexedDbStore(name = 'card-platform-sdk'): KeyValueStore {
  if (typeof name !== 'string' || name === '') {
    throw new ConfigurationError('name', 'name must be the name of a database, as text.');
  }
  let database: Promise<IDBDatabase> | undefined;

  function connect(): Promise<IDBDatabase> {
    if (database !== undefined) return database;
    const opening = (async () => open(name))();
    database = opening;
    const forget = () => {
      if (database === opening) database = undefined;
    };
    opening.then((connection) => {
      // Another tab deletes the database, or the browser closes it. The next use opens it again.
      connection.onversionchange = () => {
        connection.close();
        forget();
      };
      connection.onclose = forget;
    }, forget);
    return opening;
  }

  /** Runs one transaction. Resolves when it is complete, with what `work` passed to `done`. */
  async function transact<T>(
    mode: IDBTransactionMode,
    work: (values: IDBObjectStore, done: (result: T) => void) => void,
  ): Promise<T | undefined> {
    const connection = await connect();
    return new Promise((resolve, reject) => {
      const transaction = connection.transaction(VALUES, mode, { durability: 'strict' });
      let result: T | undefined;
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(transaction.error);
      work(transaction.objectStore(VALUES), (value) => {
        result = value;
      });
    });
  }

  return {
    get: (key) =>
      transact<string | undefined>('readonly', (values, done) => {
        const request = values.get(key);
        request.onsuccess = () => done(request.result);
      }),
    set: (key, value) => transact('readwrite', (values) => void values.put(value, key)),
    delete: (key) => transact('readwrite', (values) => void values.delete(key)),
    update: async (key, change) => {
      let failure: { readonly error: unknown } | undefined;
      const changed = transact('readwrite', (values) => {
        const request = values.get(key);
        request.onsuccess = () => {
          try {
            const next = change(request.result);
            if (next === undefined) values.delete(key);
            else values.put(next, key);
          } catch (error) {
            failure = { error };
            request.transaction?.abort();
          }
        };
      });
      await changed.catch((error) => {
        throw failure === undefined ? error : failure.error;
      });
    },
  };
}
