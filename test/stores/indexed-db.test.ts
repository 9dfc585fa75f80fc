import { afterEach, describe, expect, it, vi } from 'vitest';
import { indexedDbStore } from '../../src/stores/index.js';

afterEach(() => vi.unstubAllGlobals());

type Handler = (() => void) | undefined;
type FakeRequest = { result?: unknown; error?: unknown; transaction?: object } & {
  [name in 'onsuccess' | 'onerror']?: Handler;
};
type FakeConnection = { isClosed: boolean; onversionchange?: Handler; onclose?: Handler };

/** IndexedDB as far as the store uses it. A transaction writes when it completes, or not at all. */
function stubIndexedDb() {
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

  function open(): FakeRequest {
    const request: FakeRequest = {};
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
      };
      connections.push(connection);
      request.result = connection;
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
});
