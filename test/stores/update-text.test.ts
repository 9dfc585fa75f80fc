import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/stores/index.js';
import { updateText } from '../../src/stores/key-value-store.js';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

type Change = (text: string | undefined) => string | undefined;
const clock = new FakeClock({ auto: false });

/** A store whose `update` passes the change on through this function. */
function storeWith(through: (change: Change) => Change) {
  const store = memoryStore();
  return { ...store, update: (key: string, change: Change) => store.update(key, through(change)) };
}

describe('a change of a text', () => {
  it('receives undefined where a store passes on null for a key that does not exist', async () => {
    const store = storeWith((change) => (text) => change(text ?? (null as unknown as undefined)));
    const seen: unknown[] = [];
    await updateText(store, clock, 'key', (text) => {
      seen.push(text);
      return 'new';
    });
    expect(seen).toEqual([undefined]);
    expect(await store.get('key')).toBe('new');
  });

  it('that throws leaves the text, and its error is passed on', async () => {
    const store = memoryStore();
    await store.set('key', 'old');
    const failing = updateText(store, clock, 'key', () => {
      throw new Error('too long');
    });
    await expect(failing).rejects.toThrow('too long');
    expect(await store.get('key')).toBe('old');
  });

  it('that a store does not finish has failed after 30 seconds', async () => {
    const own = new FakeClock({ auto: false });
    const store = { ...memoryStore(), update: () => new Promise(() => {}) };
    const failed = rejection(updateText(store, own, 'key', () => 'new'));
    own.advance(60_000);
    expect(await failed).toMatchObject({ message: 'update did not finish within 30 seconds' });
    expect(own.waits).toEqual([30_000]);
  });

  it('that runs again counts as it ran the last time', async () => {
    const store = storeWith((change) => (text) => {
      change('a text that somebody else has replaced');
      return change(text);
    });
    await store.set('key', 'old');
    await updateText(store, clock, 'key', (text) => {
      if (text !== 'old') throw new Error('must run again');
      return 'new';
    });
    expect(await store.get('key')).toBe('new');
  });
});
