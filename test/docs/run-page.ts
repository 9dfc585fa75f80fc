import * as testing from 'card-platform-sdk/testing';
import { expect, vi } from 'vitest';
import type { Block } from './blocks.js';
import type { DocsPlatform } from './docs-platform.js';
import type { PageSetup } from './page-setup.js';
import { runBlock } from './run-block.js';

const LOOPBACK = /^http:\/\/127\.0\.0\.1:/;

/** Creates a `console` that records its output. */
function recordingConsole() {
  const printed: string[] = [];
  const log = (...values: unknown[]) => printed.push(values.map(String).join(' '));
  return { printed, console: { debug: log, error: log, info: log, log, warn: log } };
}

/** Matches the output that a page documents: `console.log(value); // output: and why`. */
const PRINTED_COMMENT = /console\.log\(.*\); \/\/ ([^:\n]+)/g;

/** The result of running a page. */
export type PageRun = {
  /** Number of executed blocks. */
  executed: number;
  /** The endpoints that the blocks called, on any mock platform. */
  reached: Set<string | undefined>;
};

/**
 * Executes the blocks of a page, one after the other. All requests go to the mock platform,
 * including those of clients that a block creates. Later blocks and the page setup can use the
 * exports of a block. Checks that documented output is printed.
 */
export async function runPage(
  blocks: readonly Block[],
  docsPlatform: DocsPlatform,
  setup: PageSetup = {},
): Promise<PageRun> {
  const { client, userClient } = docsPlatform;
  const mocks = [docsPlatform.mock];
  const createMockPlatform: typeof testing.createMockPlatform = (options) => {
    const mock = testing.createMockPlatform(options);
    mocks.push(mock);
    return mock;
  };
  const modules = {
    'card-platform-sdk/testing': { ...testing, createMockPlatform },
    ...setup.modules,
  };
  const realFetch = globalThis.fetch;
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) =>
    (LOOPBACK.test(String(input)) ? realFetch : docsPlatform.fetch)(input, init),
  );
  const { printed, console } = recordingConsole();
  let executed = 0;
  let names: PageSetup['names'] = { client, userClient, console, ...setup.names };
  try {
    for (const [index, block] of blocks.entries()) {
      if (block.notExecuted !== undefined) continue;
      const exported = await runBlock(block, { names, modules });
      for (const [, text] of block.code.matchAll(PRINTED_COMMENT)) expect(printed).toContain(text);
      await setup.use?.(exported, index + 1);
      // A default export has no name that a later block could use.
      const { default: _unnamed, ...named } = exported;
      names = { ...names, ...named };
      executed++;
    }
  } finally {
    vi.unstubAllGlobals();
    await setup.end?.();
  }
  const requests = mocks.flatMap((mock) => mock.requests);
  return { executed, reached: new Set(requests.map(({ operation }) => operation)) };
}
