import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JournalEntry } from '../../src/index.js';
import { indexedDbStore } from '../../src/stores/index.js';
import { clientOf, platformWithUser } from '../journal/support.js';

afterEach(() => vi.unstubAllGlobals());

type Handler = (() => void) | undefined;
type FakeRequest = { result?: unknown; error?: unknown; transaction?: object } & {
  [name in 'onsuccess' | 'onerror']?: Handler;
};
type FakeOpening = FakeRequest & { onupgradeneeded?: (event: object) => void };
type FakeConnection = { isClosed: boolean; onversionchange?: Handler; onclose?: Handler };

/**
 * IndexedDB as far as the store uses it. A transaction writes when it completes, or not at all.
 *
 * @param creation - the event of a database that does not exist yet
 */
function stubIndexedDb(creation?: object) {
  const values = new Map<string, unknown>();
  const connections: FakeConnection[] = [];
  const failures: Error[] = [];

  function transaction() {
    const writes: (() => void)[] = [];
    let isAborted = false;
    let open = 0;
    const events: { oncomplete?: Handler; onabort?: Handler } = {};
    const abort = () => {
      isAborted = true;
      queueMicrotask(() => events.onabort?.());
    };
    const request = (result: unknown): FakeRequest => {
      const made: FakeRequest = { result, transaction: self };
      open++;
      queueMicrotask(() => {
        made.onsuccess?.();
        open--;
        if (open > 0 || isAborted) return;
        for (const write of writes) write();
        events.oncomplete?.();
      });
      return made;
    };
    const write = (run: () => void) => {
      writes.push(run);
      return request(undefined);
    };
    const store = {
      get: (key: string) => request(values.get(key)),
      put: (value: unknown, key: string) => write(() => values.set(key, value)),
      delete: (key: string) => write(() => values.delete(key)),
    };
    const self = Object.assign(events, { error: null, abort, objectStore: () => store });
    return self;
  }

  function open(): FakeOpening {
    const request: FakeOpening = {};
    queueMicrotask(() => {
      request.error = failures.shift();
      if (request.error !== undefined) return request.onerror?.();
      const connection = {
        isClosed: false,
        close: () => {
          connection.isClosed = true;
        },
        transaction() {
          if (connection.isClosed) throw new Error('the connection is closed');
          return transaction();
        },
        createObjectStore: () => ({
          put: (value: unknown, key: string) => values.set(key, value),
        }),
      };
      connections.push(connection);
      request.result = connection;
      if (creation !== undefined) request.onupgradeneeded?.(creation);
      request.onsuccess?.();
    });
    return request;
  }

  vi.stubGlobal('indexedDB', { open });
  return { connections, failures };
}

describe('indexedDbStore', () => {
  it('opens the database once', async () => {
    const { connections } = stubIndexedDb();
    const store = indexedDbStore();
    await store.set('key', 'one');
    await store.update('key', (text) => `${text} two`);
    expect(await store.get('key')).toBe('one two');
    await store.update('key', () => undefined);
    expect(await store.get('key')).toBeUndefined();
    expect(connections).toHaveLength(1);
  });

  it('lets another tab delete the database, and opens it again', async () => {
    const { connections } = stubIndexedDb();
    const store = indexedDbStore();
    await store.set('key', 'one');
    connections[0]?.onversionchange?.();
    expect(connections[0]?.isClosed).toBe(true);
    await store.set('key', 'two');
    expect(await store.get('key')).toBe('two');
    expect(connections).toHaveLength(2);
  });

  it('opens the database again that the browser has closed', async () => {
    const { connections } = stubIndexedDb();
    const store = indexedDbStore();
    await store.set('key', 'one');
    connections[0]?.onclose?.();
    expect(await store.get('key')).toBe('one');
    expect(connections).toHaveLength(2);
  });

  it('tries again to open a database that could not be opened', async () => {
    const { failures } = stubIndexedDb();
    const store = indexedDbStore();
    failures.push(new Error('the disk is full'));
    await expect(store.get('key')).rejects.toThrow('the disk is full');
    expect(await store.get('key')).toBeUndefined();
  });

  it('passes the error of a change on, and keeps the text', async () => {
    stubIndexedDb();
    const store = indexedDbStore();
    await store.set('key', 'one');
    const failing = store.update('key', () => {
      throw new Error('too long');
    });
    await expect(failing).rejects.toThrow('too long');
    expect(await store.get('key')).toBe('one');
  });

  /** The journal of a user in a page whose database does not exist yet. */
  function journalAfter(creation: object) {
    stubIndexedDb(creation);
    const { mock, user } = platformWithUser();
    return clientOf(mock, user, indexedDbStore()).journal;
  }

  it('lets the journal say that the browser has deleted what it kept', async () => {
    const journal = journalAfter({ dataLoss: 'total' });
    const pending = await journal.pending();
    expect(pending.map(({ operation }) => operation)).toEqual(['unreadable']);
    const verdicts: string[] = [];
    await journal.recover(({ verdict }) => verdicts.push(verdict));
    expect(verdicts).toEqual(['undecided']);
    await journal.remove(pending[0] as JournalEntry, 'undecided');
    expect(await journal.pending()).toEqual([]);
  });

  it.each([
    ['has found no damage', { dataLoss: 'none' }],
    ['does not tell', {}],
  ])('has an empty journal in a browser that %s', async (_, creation) => {
    expect(await journalAfter(creation).pending()).toEqual([]);
  });
});
