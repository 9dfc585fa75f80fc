import { builtinModules } from 'node:module';
import { type Block, blocksOf } from '../../test/docs/blocks.js';
import { type CompiledBlock, compileBlock } from '../../test/docs/compile-block.js';
import { GUIDES } from '../../test/docs/guides.js';
import { readPage } from './pages.js';

/** A program of a page, compiled, with its source; or the reason why it does not run there. */
export type PageProgram = { code: string } & (
  | { compiled: CompiledBlock }
  | { why: string; compiled?: undefined }
);

const everyBlock = () => GUIDES.flatMap((path) => blocksOf(path, readPage(path)));

/** Every module that a block of a guide loads. */
export const modulesOfGuides = () =>
  new Set(everyBlock().flatMap(({ code }) => compileBlock(code).loads));

/** Every module that a block of a guide imports, even if only for its types. */
export const importsOfGuides = () =>
  new Set(everyBlock().flatMap(({ code }) => compileBlock(code).imports));

/** Returns the reason why a block cannot run in a page, or `undefined` if it can. */
function obstacle(block: Block, bundled: ReadonlySet<string>): string | undefined {
  if (block.notExecuted !== undefined) return block.notExecuted;
  if (block.notInBrowser !== undefined) return block.notInBrowser;
  const missing = compileBlock(block.code).loads.find((name) => !bundled.has(name));
  if (missing === undefined) return undefined;
  const isNode = missing.startsWith('node:') || builtinModules.includes(missing);
  return isNode ? `${missing} is part of Node` : `${missing} does not run in a page`;
}

/** Returns the programs of a guide, in the order of its blocks. */
export function programsOf(path: string, bundled: ReadonlySet<string>): PageProgram[] {
  return blocksOf(path, readPage(path)).map((block) => {
    const why = obstacle(block, bundled);
    const { code } = block;
    return why === undefined ? { code, compiled: compileBlock(code) } : { code, why };
  });
}
