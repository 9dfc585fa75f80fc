import { describe, expect, it } from 'vitest';
import { DelegationRecord } from '../../src/delegation/record.js';
import { memoryStore } from '../../src/stores/index.js';
import { FakeClock } from '../support/fake-clock.js';
import { faultyStore, STORE_FAULTS } from '../support/faulty-stores.js';

const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const clockOf = () => new FakeClock({ auto: false });

it('a record that is removed is gone before its parts are: a crash leaves no damaged one', async () => {
  const store = memoryStore();
  let fails = false;
  const failing = {
    ...store,
    delete: (key: string) =>
      fails ? Promise.reject(new Error('the disk failed')) : store.delete(key),
  };
  const record = new DelegationRecord({ store: failing, clock: clockOf() }, 'one');
  await record.reserve(false, undefined);
  await record.write('a state');
  expect(await record.read()).toEqual({ is: 'text', text: 'a state' });
  fails = true;
  await expect(record.remove()).rejects.toMatchObject({ code: 'delegation_not_saved' });
  expect(await record.read()).toEqual({ is: 'missing' });
});

it('a record whose owner has died can be reserved after six seconds, and not before', async () => {
  const store = memoryStore();
  // Its clock stands still, so it never shows that it is alive.
  await new DelegationRecord({ store, clock: clockOf() }, 'one').reserve(false, undefined);
  const clock = clockOf();
  let isReserved = false;
  const next = new DelegationRecord({ store, clock }, 'one').reserve(false, undefined);
  void next.then(() => {
    isReserved = true;
  });
  await turns();
  for (let passed = 0; passed < 5_900; passed += 100) {
    clock.advance(100);
    await turns();
  }
  clock.advance(99);
  await turns();
  expect(isReserved).toBe(false);
  clock.advance(1);
  await turns();
  expect(isReserved).toBe(true);
});

describe('a record of a run that lives', () => {
  /** Reserves a record twice, and lets time pass until the second attempt has ended. */
  async function reserveTwice(first: boolean, second: boolean) {
    const place = { store: memoryStore(), clock: clockOf() };
    const owner = new DelegationRecord(place, 'one');
    await owner.reserve(first, undefined);
    await owner.write('a state');
    const next = new DelegationRecord(place, 'one');
    const ended = next.reserve(second, undefined).then(
      () => 'reserved',
      (error: { code: string }) => error.code,
    );
    for (let passed = 0; passed < 12_000; passed += 500) {
      await turns();
      place.clock.advance(500);
    }
    return ended;
  }

  it.each([
    [false, false],
    [false, true],
    [true, false],
  ])('is not reserved again, with a lock of the browser: %s, then %s', async (first, second) => {
    expect(await reserveTwice(first, second)).toBe('delegation_in_progress');
  });

  it('is reserved again by one with the same lock of the browser: its owner has lost it', async () => {
    expect(await reserveTwice(true, true)).toBe('reserved');
  });
});

it('a record stays reserved although the store fails for a moment', async () => {
  const store = memoryStore();
  let fails = false;
  const failing = {
    ...store,
    update: (...args: Parameters<typeof store.update>) =>
      fails ? Promise.reject(new Error('the disk is busy')) : store.update(...args),
  };
  const clock = clockOf();
  await new DelegationRecord({ store: failing, clock }, 'one').reserve(false, undefined);
  fails = true;
  clock.advance(1_500);
  await turns();
  fails = false;
  const other = new DelegationRecord({ store, clock }, 'one').reserve(false, undefined);
  const refused = expect(other).rejects.toMatchObject({ code: 'delegation_in_progress' });
  for (let passed = 0; passed < 6_000; passed += 500) {
    await turns();
    clock.advance(500);
  }
  await refused;
});

describe.each(STORE_FAULTS.filter(([, method]) => method === 'update'))('where %s', (...row) => {
  it('a record is not reserved, and the one before it stays', async () => {
    const clock = clockOf();
    const kept = memoryStore();
    const { store, uses } = faultyStore(kept, row);
    const first = new DelegationRecord({ store, clock }, 'one');
    await first.reserve(false, undefined);
    await first.write('a state');
    await first.release();
    uses.isFaulty = true;
    const reserved = new DelegationRecord({ store, clock }, 'one').reserve(false, undefined);
    const failed = expect(reserved).rejects.toMatchObject({
      code: 'delegation_not_saved',
      outcome: 'not_sent',
    });
    await turns();
    clock.advance(30_000);
    await failed;
    expect(await new DelegationRecord({ store: kept, clock }, 'one').read()).toEqual({
      is: 'text',
      text: 'a state',
    });
  });
});

it('a write of an earlier owner changes no text of the present one', async () => {
  const store = memoryStore();
  const clock = clockOf();
  const ownerOf = async (text: string) => {
    const owner = new DelegationRecord({ store, clock }, 'one');
    await owner.reserve(false, undefined);
    await owner.write(text);
    return owner;
  };
  // The fourth owner writes into the places of the first one.
  const first = await ownerOf('first');
  await first.release();
  for (const text of ['second', 'third']) await (await ownerOf(text)).release();
  const fourth = await ownerOf('fourth');
  for (const text of ['fifth', 'sixth']) {
    await expect(first.write('late')).rejects.toMatchObject({ code: 'delegation_in_progress' });
    expect(await fourth.read()).toMatchObject({ is: 'text' });
    let isLate = true;
    const set = store.set.bind(store);
    store.set = async (key, value) => {
      await set(key, value);
      if (!isLate) return;
      isLate = false;
      await first.write('late').catch(() => undefined);
    };
    await fourth.write(text);
    store.set = set;
    expect(await fourth.read()).toEqual({ is: 'text', text });
  }
});
