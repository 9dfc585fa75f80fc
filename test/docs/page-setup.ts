import { expect } from 'vitest';
import type { Exported } from './run-block.js';

/**
 * The setup that a page needs to run: names and modules for its blocks, and calls of the functions
 * that they export.
 */
export type PageSetup = {
  /** Names that blocks use without declaring them, in addition to `client` and `userClient`. */
  names?: Readonly<Record<string, unknown>>;
  /** Modules that the test replaces. */
  modules?: Readonly<Record<string, object>>;
  /** Calls the exports of a block. The first block is number 1. */
  use?: (exported: Exported, block: number) => unknown;
  /** Cleans up after the page. */
  end?: () => unknown;
};

/** Calls a function that a block exports. */
export async function call(exported: unknown, ...input: unknown[]): Promise<unknown> {
  expect(exported).toBeTypeOf('function');
  return (exported as (...input: unknown[]) => unknown)(...input);
}
