import { describe, expect, it, vi } from 'vitest';
import { PLANTED_BUGS } from '../../simulation/planted/index.js';
import { plant } from '../../simulation/run/bundle.js';
import { findBug } from '../../simulation/run/find-bug.js';
import { replayLine } from '../../simulation/run/shrink.js';

// Only ends a test that hangs.
vi.setConfig({ testTimeout: 3_600_000 });

/** As many at once as CI has processors. */
const TOGETHER = 2;

describe('a bug planted in the sources', () => {
  it('is found by the seeds of CI, whichever it is', async () => {
    const waiting = [...PLANTED_BUGS];
    const missed: string[] = [];
    const lines: string[] = [];
    const worker = async () => {
      for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
        const found = await findBug(bug);
        const { invariant = 'none' } = found?.violation ?? {};
        if (!bug.foundBy.includes(invariant)) missed.push(`${bug.name}: ${invariant}`);
        if (found !== undefined) {
          lines.push(`${bug.name}: ${invariant}, ${replayLine(found.scenario)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, worker));
    console.log(lines.sort().join('\n'));
    expect(missed).toEqual([]);
  });

  it('is one of at least 30, each with a name of its own', () => {
    const names = new Set(PLANTED_BUGS.map(({ name }) => name));
    expect(names.size).toBe(PLANTED_BUGS.length);
    expect(names.size).toBeGreaterThanOrEqual(30);
  });

  it('must change exactly one place', () => {
    const bug = {
      name: 'a bug',
      changes: [{ file: 'a.ts', find: 'x', replace: 'y' }],
      foundBy: [],
    };
    expect(plant(bug, 'a.ts', 'an x here')).toBe('an y here');
    expect(() => plant(bug, 'a.ts', 'nothing')).toThrow('a bug: 0 places to change in a.ts');
    expect(() => plant(bug, 'a.ts', 'x and x')).toThrow('2 places');
  });
});
