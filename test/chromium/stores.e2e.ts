import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, errors } from 'playwright-core';
import { expect, it } from 'vitest';
import { CHROMIUM_FLAGS, findChromium, launchChromium } from '../support/chromium.js';
import { testStores } from './stores/store-tests.js';
import {
  ask,
  countInBoth,
  KILLS,
  LONG,
  openIn,
  openTab,
  ROUNDS,
  useBrowser,
} from './stores/tabs.js';

useBrowser(async () => {
  const browser = await launchChromium();
  const context = await browser.newContext();
  return { newPage: () => context.newPage(), close: () => browser.close() };
});

testStores();

it('localStorage loses changes of two tabs even under a Web Lock', { timeout: LONG }, async () => {
  const tabs = [await openTab(), await openTab()];
  let lost = 0;
  // As long as this passes, the page about stores has no recipe for it.
  for (let round = 0; round < 200 && (lost === 0 || round < ROUNDS); round++) {
    const counts = await countInBoth(tabs, 'localStorage', `count-${round}`);
    if (counts.some((count) => count !== '40')) lost++;
  }
  if (ROUNDS >= 200) console.log(`localStorage lost changes in ${lost} rounds`);
  expect(lost).toBeGreaterThan(0);
});

/** Starts Chromium with a folder of its own, as a program that can be killed. */
async function startOnce(folder: string) {
  const child: ChildProcess = spawn(
    findChromium(),
    ['--headless', ...CHROMIUM_FLAGS, `--user-data-dir=${folder}`, '--remote-debugging-port=0'],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (data) => {
      output += data;
      const [, found] = /DevTools listening on (ws:\S+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', () => reject(new Error(`Chromium ended: ${output}`)));
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const kill = async () => {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
  };
  try {
    const connected = await chromium.connectOverCDP(address, { timeout: 30_000 });
    const [context] = connected.contexts() as [BrowserContext];
    return { tab: await openIn(await context.newPage()), kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** Starts Chromium, again if it hangs: after about one of 300 kills it responds to nothing. */
async function startChromium(folder: string): ReturnType<typeof startOnce> {
  for (let hung = 0; hung < 3; hung++) {
    try {
      return await startOnce(folder);
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
    }
  }
  throw new Error('Chromium was started three times, and never responded');
}

/** Runs a test with a folder for Chromium. */
async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'killed-chromium-'));
  try {
    await test(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it(
  'what indexedDbStore has written is there after the browser was killed, or the journal says that it is gone',
  {
    timeout: LONG,
  },
  () =>
    withFolder(async (folder) => {
      const kills = Math.ceil(KILLS / 20);
      let deleted = 0;
      let kept = 0;
      for (let killed = 0; killed <= kills; killed++) {
        const { tab, kill } = await startChromium(folder);
        const before = Number((await ask(tab, 'read', 'indexedDB', 'count')) ?? 0);
        if (before < kept) {
          expect(await ask(tab, 'operations')).toEqual(['unreadable']);
          await ask(tab, 'settle');
          deleted++;
        }
        expect(await ask(tab, 'operations')).toEqual([]);
        kept = before;
        tab.on('console', (message) => {
          kept = before + Number(message.text());
        });
        void ask(tab, 'countForEver', 'count').catch(() => undefined);
        const changes = 20 + ((7 * killed) % 50);
        await expect.poll(() => kept - before, { timeout: LONG }).toBeGreaterThan(changes);
        await kill();
      }
      if (kills > 2)
        console.log(`Chromium deleted the database after ${deleted} of ${kills} kills`);
      expect(deleted).toBeLessThan(kills);
    }),
);

/**
 * Leaves what is left when Chromium is killed between two writes: the start of a record of LevelDB,
 * 79 bytes long. It appends to the log at the next start, and finds it damaged at the one after.
 */
function tearLogs(folder: string): void {
  const databases = join(folder, 'Default', 'IndexedDB');
  const files = readdirSync(databases, { recursive: true, encoding: 'utf8' });
  const logs = files.filter((file) => /\.leveldb\/\d+\.log$/.test(file));
  expect(logs, 'the logs of LevelDB').not.toEqual([]);
  for (const log of logs)
    appendFileSync(join(databases, log), Buffer.from('b19a87a44f00019a9104820c0001', 'hex'));
}

it(
  'the journal lists an unreadable entry after Chromium has deleted a damaged database',
  {
    timeout: LONG,
  },
  () =>
    withFolder(async (folder) => {
      const first = await startChromium(folder);
      expect(await ask(first.tab, 'withdraw', '12', Date.now())).toBe('unknown');
      await first.kill();
      tearLogs(folder);
      const second = await startChromium(folder);
      expect(await ask(second.tab, 'pending')).toEqual(['12']);
      await ask(second.tab, 'count', 'indexedDB', 'count', 1);
      await second.kill();
      for (let start = 0; start < 2; start++) {
        const { tab, kill } = await startChromium(folder);
        expect(await ask(tab, 'operations')).toEqual(['unreadable']);
        expect(await ask(tab, 'read', 'indexedDB', 'count')).toBeUndefined();
        await kill();
      }
      const last = await startChromium(folder);
      await ask(last.tab, 'settle');
      expect(await ask(last.tab, 'operations')).toEqual([]);
      await last.kill();
    }),
);
