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

describe('the text of a record', () => {
  async function setUp() {
    const values = new Map<string, string>();
    const store = memoryStore(values);
    let losses = 0;
    const record = new DelegationRecord(
      {
        // A part has the name of the record, a slot of two digits, and its number.
        store: {
          ...store,
          get: (key) => (/\.\d\d\.\d+$/.test(key) && losses-- > 0 ? 'lost' : store.get(key)),
        },
        clock: clockOf(),
      },
      'one',
    );
    await record.reserve(false, undefined);
    const losePart = (times: number) => {
      losses = times;
    };
    return { values, record, losePart };
  }

  it.each([
    [1, 1],
    [1_900, 1],
    [1_901, 2],
    [22_800, 12],
  ])('of %i characters has %i parts', async (length, parts) => {
    const { values, record } = await setUp();
    const before = values.size;
    await record.write('x'.repeat(length));
    expect(values.size - before).toBe(parts);
    expect(await record.read()).toEqual({ is: 'text', text: 'x'.repeat(length) });
  });

  it('of 22,801 characters is refused, and the one before it stays', async () => {
    const { record } = await setUp();
    await record.write('a state');
    await expect(record.write('x'.repeat(22_801))).rejects.toMatchObject({
      code: 'delegation_not_saved',
    });
    expect(await record.read()).toEqual({ is: 'text', text: 'a state' });
  });

  it.each([
    [2, { is: 'text', text: 'a state' }],
    [3, { is: 'damaged' }],
  ])('of which a part is lost in %i reads is %o', async (times, found) => {
    const { record, losePart } = await setUp();
    await record.write('a state');
    losePart(times);
    expect(await record.read()).toEqual(found);
  });
});

it('a record has the name that later versions look for', async () => {
  const values = new Map<string, string>();
  const place = { store: memoryStore(values), clock: clockOf() };
  await new DelegationRecord(place, 'one').reserve(false, undefined);
  // The first half of the Keccak-256 hash of "one".
  expect([...values.keys()]).toEqual(['card-platform.delegation.23dc111d7c3ad1df9806ce1e8eb4f55f']);
});

it('a record shows every 1.5 seconds that its owner is alive', async () => {
  const store = memoryStore();
  const clock = clockOf();
  let updates = 0;
  const counting = {
    ...store,
    update: (...args: Parameters<typeof store.update>) => {
      updates++;
      return store.update(...args);
    },
  };
  await new DelegationRecord({ store: counting, clock }, 'one').reserve(false, undefined);
  updates = 0;
  clock.advance(1_499);
  await turns();
  expect(updates).toBe(0);
  clock.advance(1);
  await turns();
  expect(updates).toBe(1);
});

it('a write that began two owners ago destroys no text of the present one', async () => {
  const store = memoryStore();
  const clock = clockOf();
  let isSlow = false;
  let land = () => {};
  const slow = {
    ...store,
    async set(key: string, value: string) {
      if (isSlow) await new Promise<void>((resolve) => (land = resolve));
      await store.set(key, value);
    },
  };
  const ownerOf = async (text: string, of = store) => {
    const owner = new DelegationRecord({ store: of, clock }, 'one');
    await owner.reserve(false, undefined);
    await owner.write(text);
    return owner;
  };
  const first = await ownerOf('first', slow);
  await first.release();
  isSlow = true;
  const late = expect(first.write('late')).rejects.toMatchObject({
    code: 'delegation_in_progress',
  });
  await turns();
  await (await ownerOf('second')).release();
  const third = await ownerOf('third');
  // Now it has used both of its places.
  await third.write('third again');
  land();
  await late;
  expect(await third.read()).toEqual({ is: 'text', text: 'third again' });
});
