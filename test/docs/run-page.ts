import * as testing from 'card-platform-sdk/testing';
import { expect, vi } from 'vitest';
import type { Block } from './blocks.js';
import { runBlock } from './run-block.js';
import type { Scene } from './scene.js';
import type { Stage } from './stage.js';

const LOOPBACK = /^http:\/\/127\.0\.0\.1:/;

/** A `console` that keeps what is logged to itself. */
function recordingConsole() {
  const printed: string[] = [];
  const log = (...values: unknown[]) => printed.push(values.map(String).join(' '));
  return { printed, console: { debug: log, error: log, info: log, log, warn: log } };
}

/** What a page says that it prints: `console.log(value); // these words: and why`. */
const SAID = /console\.log\(.*\); \/\/ ([^:\n]+)/g;

/** What the blocks of a page did. */
export type Played = {
  /** How many blocks were executed. */
  executed: number;
  /** The endpoints that they reached, on the stage's platform or on platforms of their own. */
  reached: Set<string | undefined>;
};

/**
 * Executes the blocks of a page, one after the other. What a block
 * sends to the service goes to the stage's platform, also from clients that it makes itself. What it
 * exports can be used by the scene and by the blocks after it. What it says that it prints, it prints.
 */
export async function runPage(
  blocks: readonly Block[],
  stage: Stage,
  scene: Scene = {},
): Promise<Played> {
  const { platform, user } = stage;
  const mocks = [stage.mock];
  const createMockPlatform: typeof testing.createMockPlatform = (options) => {
    const mock = testing.createMockPlatform(options);
    mocks.push(mock);
    return mock;
  };
  const modules = {
    ...{ 'card-platform-sdk/testing': { ...testing, createMockPlatform } },
    ...scene.modules,
  };
  const realFetch = globalThis.fetch;
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) =>
    (LOOPBACK.test(String(input)) ? realFetch : stage.fetch)(input, init),
  );
  const { printed, console } = recordingConsole();
  let executed = 0;
  let names: Scene['names'] = { platform, user, console, ...scene.names };
  try {
    for (const [index, block] of blocks.entries()) {
      if (block.notExecuted !== undefined) continue;
      const exported = await runBlock(block, { names, modules });
      for (const [, words] of block.code.matchAll(SAID)) expect(printed).toContain(words);
      await scene.use?.(exported, index + 1);
      // A default export has no name by which a later block could call it.
      const { default: _unnamed, ...named } = exported;
      names = { ...names, ...named };
      executed++;
    }
  } finally {
    vi.unstubAllGlobals();
    await scene.end?.();
  }
  const requests = mocks.flatMap((mock) => mock.requests);
  return { executed, reached: new Set(requests.map(({ operation }) => operation)) };
}
