import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderStore } from '../../src/stores/index.js';

const RUNS = Number(process.env['STORE_KILLS'] ?? 40);
/** More continuations than a victim has. */
const CONTINUATIONS = 260;

const folder = mkdtempSync(join(tmpdir(), 'store-kills-'));
const bundle = join(folder, 'victim.mjs');

beforeAll(async () => {
  const entryPoints = [join(import.meta.dirname, 'victim.ts')];
  await build({ entryPoints, outfile: bundle, bundle: true, platform: 'node', format: 'esm' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program that counts, until it is done or kills itself. Returns how far it says it got. */
function count(store: string, killAt: number): Promise<{ counted: number; isKilled: boolean }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle, store, String(killAt)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
    });
    child.on('error', reject);
    child.on('close', (_, signal) => {
      resolve({ counted: output.length, isKilled: signal === 'SIGKILL' });
    });
  });
}

it(
  `two programs on one folder lose nothing when both are killed at any await, ${RUNS} times`,
  async () => {
    let killed = 0;
    for (let run = 0; run < RUNS; run++) {
      const store = join(folder, `store-${run}`);
      const at = () => 1 + Math.floor(Math.random() * CONTINUATIONS);
      const both = await Promise.all([count(store, at()), count(store, at())]);
      const counted = both.reduce((sum, each) => sum + each.counted, 0);
      const inFlight = both.filter(({ isKilled }) => isKilled).length;
      killed += inFlight;
      // A change may be on disk although its program did not live to report it.
      const kept = Number((await folderStore(store).get('count')) ?? 0);
      expect(kept).toBeGreaterThanOrEqual(counted);
      expect(kept).toBeLessThanOrEqual(counted + inFlight);
      // The next program continues.
      await folderStore(store).update('count', (text) => String(Number(text ?? 0) + 1));
      expect(await folderStore(store).get('count')).toBe(String(kept + 1));
      rmSync(store, { recursive: true, force: true });
    }
    console.log(`${killed} programs were killed in ${RUNS} runs`);
    expect(killed).toBeGreaterThan(RUNS / 2);
  },
  60_000 + RUNS * 4_000,
);
