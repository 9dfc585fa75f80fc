import { expect, it } from 'vitest';
import { ask, countInBoth, KILLS, LONG, openTab, ROUNDS, renewals, type Tab } from './tabs.js';

/** The tests of `indexedDbStore` that every browser must pass. */
export function testStores(): void {
  it(`indexedDbStore loses no change of two tabs, in ${ROUNDS} rounds`, {
    timeout: LONG,
  }, async () => {
    const tabs = [await openTab(), await openTab()];
    for (let round = 0; round < ROUNDS; round++) {
      const counts = await countInBoth(tabs, 'indexedDB', `count-${round}`);
      expect(counts, `round ${round}`).toEqual(['40', '40']);
    }
  });

  it(`the journal keeps both withdrawals that two tabs send at once, in ${ROUNDS} rounds`, {
    timeout: LONG,
  }, async () => {
    const tabs = [await openTab(), await openTab()];
    const reader = await openTab();
    for (let round = 1; round <= ROUNDS; round++) {
      const at = Date.now() + 50;
      const outcomes = tabs.map((tab, index) => ask(tab, 'withdraw', `${round}.${index + 1}`, at));
      expect(await Promise.all(outcomes)).toEqual(['unknown', 'unknown']);
      for (const tab of [...tabs, reader]) {
        expect([...(await ask(tab, 'pending'))].sort()).toEqual([`${round}.1`, `${round}.2`]);
      }
      await ask(reader, 'settle');
      expect(await ask(tabs[0] as Tab, 'pending')).toEqual([]);
    }
  });

  it.each([
    'with Web Locks',
    'without Web Locks',
  ] as const)(`two tabs send each refresh token once, %s, in ${ROUNDS} rounds`, {
    timeout: LONG,
  }, async (name) => {
    renewals.length = 0;
    const tabs = [await openTab(), await openTab()];
    await ask(tabs[0] as Tab, 'signIn', name);
    for (let round = 1; round <= ROUNDS; round++) {
      const tokens = await Promise.all(tabs.map((tab) => ask(tab, 'token', name, round * 7)));
      expect(tokens).toEqual([`token-${round}`, `token-${round}`]);
    }
    expect(renewals).toEqual(Array.from({ length: ROUNDS }, (_, round) => `refresh-${round}`));
  });

  it('a page, its worker and its service worker share indexedDbStore', async () => {
    const tab = await openTab();
    await ask(tab, 'countInWorkers', 'shared', 100);
    expect(await ask(tab, 'read', 'indexedDB', 'shared')).toBe('300');
  });

  it(`indexedDbStore survives the end of ${KILLS} workers`, { timeout: LONG }, async () => {
    const tab = await openTab();
    const { killed, wrong } = await ask(tab, 'killWorkers', Math.ceil(KILLS / 2), 'killed');
    expect(wrong).toBeUndefined();
    expect(killed).toBeGreaterThanOrEqual(KILLS);
  });
}
