import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INVARIANTS } from '../../simulation/invariants/index.js';
import { PLANTED_BUGS } from '../../simulation/planted/index.js';
import { plant } from '../../simulation/run/plant.js';

const SOURCE = `
const LIMIT = 3;
export async function double(one: number): Promise<number> {
  return 2 * one;
}
export class Counter {
  #count = 0;
  #step(by: number): number {
    return (this.#count += by);
  }
  add(): number {
    return this.#step(LIMIT);
  }
}
export const limitOf = () => LIMIT;
export function createCounter() {
  return {
    async next(by: number) {
      return by + 1;
    },
  };
}
`;

/** Runs the source with a change. */
async function run(declaration: string, becomes: string) {
  const bug = { name: 'a bug', changes: [{ file: 'a.ts', declaration, becomes }], foundBy: [] };
  const { transform } = await import('esbuild');
  const { code } = await transform(plant(bug, 'a.ts', SOURCE), { loader: 'ts', format: 'esm' });
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const { double, Counter, limitOf, createCounter } = await import(/* @vite-ignore */ url);
  return [await double(4), new Counter().add(), limitOf(), await createCounter().next(1)];
}

describe('a planted bug', () => {
  it('is one of at least 30, each with a name of its own', () => {
    const names = new Set(PLANTED_BUGS.map(({ name }) => name));
    expect(names.size).toBe(PLANTED_BUGS.length);
    expect(names.size).toBeGreaterThanOrEqual(30);
  });

  it.each([
    ['a constant', 'LIMIT', '(original) => original + 1', [8, 4, 4, 2]],
    ['a constant that is a function', 'limitOf', '(original) => () => -original()', [8, 3, -3, 2]],
    [
      'a function',
      'double',
      '(original) => async (one) => 1 + (await original(one))',
      [9, 3, 3, 2],
    ],
    ['a method', 'Counter.add', '(original) => () => original() + this.#count', [8, 6, 3, 2]],
    ['a private method', 'Counter.#step', '(original) => (by) => original(by + 1)', [8, 4, 3, 2]],
    [
      'a method of an object that a function makes',
      'createCounter.next',
      '(original) => async (by) => 10 * (await original(by))',
      [8, 3, 3, 20],
    ],
  ])('changes %s, and nothing else', async (_, declaration, becomes, expected) => {
    expect(await run(declaration, becomes)).toEqual(expected);
  });

  it('is refused where its declaration is missing or not the only one', async () => {
    await expect(run('half', '() => 1')).rejects.toThrow('a bug: 0 declarations of half in a.ts');
    const bug = {
      name: 'a bug',
      changes: [{ file: 'a.ts', declaration: 'a', becomes: '' }],
      foundBy: [],
    };
    expect(() => plant(bug, 'a.ts', 'const a = 1; { const a = 2; }')).toThrow('2 declarations');
  });

  it('shows of every invariant that it can be broken', () => {
    const files = readdirSync('simulation', { recursive: true, encoding: 'utf8' });
    const claimed = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(`simulation/${file}`, 'utf8').matchAll(/claim\(\s*'([a-z-]+)'/g),
      ])
      .map(([, name = '']) => name);
    const names = [...INVARIANTS.map(({ name }) => name), ...claimed];
    const found = PLANTED_BUGS.flatMap(({ foundBy }) => [...foundBy]);
    expect([...new Set(names)].filter((name) => !found.includes(name))).toEqual([]);
  });

  // Most bugs that move money twice break a narrower invariant first.
  it('is found by the movement of money alone, once', () => {
    expect(PLANTED_BUGS.map(({ foundBy }) => foundBy.join())).toContain('moves-at-most-once');
  });

  it.each(PLANTED_BUGS)('finds what it changes: $name', (bug) => {
    for (const { file } of bug.changes) {
      const source = readFileSync(file, 'utf8');
      expect(plant(bug, file, source)).not.toBe(source);
    }
  });
});
