import type { Block } from './blocks.js';
import { compileBlock } from './compile-block.js';
import { type BlockContext, type Exported, runCompiled } from './run-compiled.js';

export type { Exported } from './run-compiled.js';

/**
 * Executes a block as a separate module and returns its exports. The package is imported from its
 * source, by the aliases of the tests.
 */
export function runBlock({ name, code }: Block, context: BlockContext): Promise<Exported> {
  return runCompiled(compileBlock(code), { ...context, filename: name });
}
