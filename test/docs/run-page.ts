import { vi } from 'vitest';
import type { Block } from './blocks.js';
import { runBlock } from './run-block.js';
import type { Scene } from './scenes.js';
import type { Stage } from './stage.js';

const LOOPBACK = /^http:\/\/127\.0\.0\.1:/;

const quiet = () => {};
const console = { debug: quiet, error: quiet, info: quiet, log: quiet, warn: quiet };

/**
 * Executes the blocks of a page, one after the other, and gives how many there were. What a block
 * sends to the service goes to the stage's platform, also from clients that it makes itself. What it
 * exports can be used by the scene and by the blocks after it.
 */
export async function runPage(
  blocks: readonly Block[],
  stage: Stage,
  scene: Scene = {},
): Promise<number> {
  const { platform, user } = stage;
  const realFetch = globalThis.fetch;
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) =>
    (LOOPBACK.test(String(input)) ? realFetch : stage.fetch)(input, init),
  );
  let executed = 0;
  let names: Scene['names'] = { platform, user, console, ...scene.names };
  try {
    for (const [index, block] of blocks.entries()) {
      if (block.notExecuted !== undefined) continue;
      const exported = await runBlock(block, { names, modules: scene.modules });
      await scene.use?.(exported, index + 1);
      names = { ...names, ...exported };
      executed++;
    }
  } finally {
    vi.unstubAllGlobals();
    await scene.end?.();
  }
  return executed;
}
