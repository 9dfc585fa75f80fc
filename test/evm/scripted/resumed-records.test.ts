import { describe, expect, it } from 'vitest';
import { createDelegation } from '../../../src/evm/index.js';
import { type KeyValueStore, memoryStore } from '../../../src/stores/index.js';
import { failureOf } from '../../delegation/scripted-world.js';
import { approveData, SPENDER } from './chain.js';
import { OWNER, type Scene, setUpScene } from './scene.js';

/** The first part of a text in the store, whatever the slot. */
const FIRST_PART = /\.\d\d\.0$/;

/** A page whose delegations are kept in a store. Each call is another page. */
function pageOf(scene: Scene, store: KeyValueStore) {
  const { amount: _, onProgress: __, ...options } = scene.options();
  const place = { network: 'linea', currency: 'usdc', spender: SPENDER } as const;
  return createDelegation({ ...options, ...place, store });
}

/** Leaves a delegation of 500 whose approval the user declined. */
async function declineFirst(scene: Scene): Promise<KeyValueStore> {
  const store = memoryStore();
  const { sendTransaction } = scene.wallet;
  scene.wallet.sendTransaction = () => Promise.reject({ code: 4001 });
  await failureOf(pageOf(scene, store).start({ amount: '500' }));
  scene.wallet.sendTransaction = sendTransaction;
  return store;
}

/** A store that notes the first keys of its records. */
const seeingKeys = (store: KeyValueStore, keys: Set<string>): KeyValueStore => ({
  get: store.get.bind(store),
  set: store.set.bind(store),
  delete: store.delete.bind(store),
  async update(key, change) {
    keys.add(key);
    await store.update(key, change);
  },
});

/** A store whose reads of the first part give something else. */
const reading = (
  store: KeyValueStore,
  change: (text: string | undefined) => Promise<string | undefined>,
): KeyValueStore => ({
  set: store.set.bind(store),
  delete: store.delete.bind(store),
  update: store.update.bind(store),
  async get(key) {
    const text = (await store.get(key)) ?? undefined;
    return FIRST_PART.test(key) ? change(text) : text;
  },
});

describe('resume of a record that cannot be read', () => {
  it('approves no limit that nobody chose, not even with `replace`', async () => {
    const scene = setUpScene();
    const store = reading(await declineFirst(scene), async () => 'not JSON');
    const page = pageOf(scene, store);
    for (const replace of [false, true]) {
      const { error } = await failureOf(page.resume({ replace }));
      expect(error).toMatchObject({ code: 'state_mismatch', outcome: 'not_sent', next: 'replace' });
    }
    expect(scene.countOf('send')).toBe(0);
    expect(await page.start({ amount: '500', replace: true })).toMatchObject({ amount: '500' });
  });

  it('approves the amount of the record if it can be read the next time', async () => {
    const scene = setUpScene();
    let failures = 3;
    const store = reading(await declineFirst(scene), async (text) =>
      failures-- > 0 ? 'not JSON' : text,
    );
    const page = pageOf(scene, store);
    expect((await failureOf(page.resume())).error).toMatchObject({ code: 'state_mismatch' });
    expect(scene.countOf('send')).toBe(0);
    expect(await page.resume()).toMatchObject({ amount: '500' });
  });
});

describe('resume of a delegation that another tab changes between the look and the reservation', () => {
  /** Lets another tab do something after the first look of this one. */
  const interrupted = (store: KeyValueStore, work: () => Promise<unknown>) => {
    let isFirst = true;
    return reading(store, async (text) => {
      if (isFirst) {
        isFirst = false;
        await work();
      }
      return text;
    });
  };

  it('starts none if the other tab has finished it', async () => {
    const scene = setUpScene();
    const store = await declineFirst(scene);
    const other = pageOf(scene, store);
    const keys = new Set<string>();
    const page = pageOf(
      scene,
      interrupted(seeingKeys(store, keys), async () => {
        await other.start({ amount: '500' });
        scene.chain.submit({ from: OWNER, input: approveData(0n) });
        scene.chain.mine();
      }),
    );
    expect(await page.resume()).toBeUndefined();
    expect(page.getState()).toMatchObject({ status: 'idle', error: undefined });
    expect(await store.get([...keys][0] ?? '')).toBeUndefined();
    expect(scene.countOf('send')).toBe(1);
    expect(await page.resume()).toBeUndefined();
  });

  it('starts none of the old amount if the other tab has chosen another one', async () => {
    const scene = setUpScene();
    const store = await declineFirst(scene);
    const other = pageOf(scene, store);
    const page = pageOf(
      scene,
      interrupted(store, async () => {
        const { sendTransaction } = scene.wallet;
        scene.wallet.sendTransaction = () => Promise.reject({ code: 4001 });
        await failureOf(other.start({ amount: '7' }));
        scene.wallet.sendTransaction = sendTransaction;
      }),
    );
    expect((await failureOf(page.resume())).error).toMatchObject({
      code: 'delegation_in_progress',
    });
    expect(scene.countOf('send')).toBe(0);
    expect(await page.resume()).toMatchObject({ amount: '7' });
  });
});
