import { describe, expect, it } from 'vitest';
import { announceSkipped, skippedTests } from './availability.js';

describe('on a machine without chains', () => {
  const skipped = skippedTests(false, false);

  it('skips the tests that need one, and prints which and why', () => {
    expect(announceSkipped(skipped, false)).toEqual([
      expect.stringMatching(/^Skipped: test\/evm\/\*\.slow\.test\.ts: they need anvil, which /),
      expect.stringMatching(/^Skipped: test\/solana\/.*: they need litesvm, which has no build/),
    ]);
  });

  it('fails in CI, where every test must run', () => {
    expect(() => announceSkipped(skipped, true)).toThrow('CI must run them.');
  });
});

it('skips nothing where both chains are installed', () => {
  expect(announceSkipped(skippedTests(true, true), true)).toEqual([]);
});
