import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PLANTED_BUGS } from '../../simulation/planted/index.js';
import { plant } from '../../simulation/run/bundle.js';

describe('a planted bug', () => {
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

  it.each(PLANTED_BUGS)('finds the text that it replaces: $name', (bug) => {
    for (const { file } of bug.changes) {
      const source = readFileSync(file, 'utf8');
      expect(plant(bug, file, source)).not.toBe(source);
    }
  });
});
