import { expect } from 'vitest';
import type { Exported } from './run-block.js';

/** What a page needs around its blocks, and what its reader does with what they export. */
export type Scene = {
  /** Names that blocks use without declaring them, besides `platform` and `user`. */
  names?: Readonly<Record<string, unknown>>;
  /** Modules that are played by the test. */
  modules?: Readonly<Record<string, object>>;
  /** Uses what a block exports. The first block is number 1. */
  use?: (exported: Exported, block: number) => unknown;
  /** Ends what the scene has started. */
  end?: () => unknown;
};

/** Calls a function that a block exports. */
export async function call(exported: unknown, ...input: unknown[]): Promise<unknown> {
  expect(exported).toBeTypeOf('function');
  return (exported as (...input: unknown[]) => unknown)(...input);
}
