import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bundler, openBundler } from '../../simulation/run/bundle.js';
import { runInChild } from '../../simulation/run/run-seeds.js';

// So long that only a test that hangs reaches it.
vi.setConfig({ testTimeout: 3_600_000 });

let bundler: Bundler;
beforeAll(async () => {
  bundler = await openBundler();
}, 3_600_000);
afterAll(() => bundler.close());

describe('the pages for EVM and Solana, which run on request', () => {
  it('delegate in a small world, and break no invariant', async () => {
    const scenario = { seed: 5, days: 3, without: [], actors: ['evm', 'solana'] };
    const [result] = await runInChild(await bundler.build(), { scenario, count: 1, step: 1 });
    expect(result?.violation).toBeUndefined();
    const { requests = 0, faults = {} } = result ?? {};
    expect(requests).toBeGreaterThan(50);
    expect(Object.keys(faults)).toEqual(expect.arrayContaining(['chain', 'crash', 'wallet']));
  });
});
