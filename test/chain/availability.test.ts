import { describe, expect, it } from 'vitest';
import { announceSkipped, skippedTests } from './availability.js';

describe('slow tests whose chain is not installed', () => {
  const skipped = skippedTests(false, false);

  it('are skipped, and the run prints which ones and why', () => {
    expect(announceSkipped(skipped, false)).toEqual([
      expect.stringMatching(/^Skipped: test\/evm\/\*\.slow\.test\.ts: they need anvil, which /),
      expect.stringMatching(/^Skipped: test\/solana\/.*: they need litesvm, which has no build/),
    ]);
  });

  it('make the run fail in CI, where every test must run', () => {
    expect(() => announceSkipped(skipped, true)).toThrow('CI must run them.');
  });
});

it('no test is skipped when both chains are installed', () => {
  expect(announceSkipped(skippedTests(true, true), true)).toEqual([]);
});
