import type { CompiledBlock } from '../../../test/docs/compile-block.js';
import { createDocsPlatform } from '../../../test/docs/docs-platform.js';
import { PAGE_SETUPS } from '../../../test/docs/page-setups.js';
import { runCompiled } from '../../../test/docs/run-compiled.js';
import { endpointSetup } from './endpoint-setup.js';
import { loadModule } from './modules.js';
import { returned } from './page-setup.js';
import { routeFetch } from './route-fetch.js';
import { currentStage, enter, type Stage } from './stage.js';
import { actAsServer, vi } from './vitest.js';

/** A program to run: a block of a guide, after the earlier blocks of its page. */
export type Program = {
  /** The file name of the guide, or the id of an endpoint. */
  guide: string;
  block: CompiledBlock;
  /** The earlier blocks; `null` for one that cannot run in a page. */
  earlier: readonly (CompiledBlock | null)[];
};

/** The output of a run, and how it ended. */
export type Played = { printed: string[]; error?: unknown };

const show = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return String(value);
  if (value instanceof Response) return `a response with status ${value.status}`;
  const seen = JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one), 2);
  return seen ?? String(value);
};

function recordingConsole(printed: string[]) {
  const log = (...values: unknown[]) => printed.push(values.map(show).join(' '));
  return { debug: log, error: log, info: log, log, warn: log };
}

/**
 * The modules that a block imports. A module that is imported only for its types need not exist in
 * a page.
 */
async function modulesFor(
  { imports, loads }: CompiledBlock,
  replaced: Readonly<Record<string, object>>,
): Promise<Record<string, object>> {
  const found = imports.map(async (name): Promise<[string, object]> => {
    const isLoaded = loads.includes(name) && !(name in replaced);
    return [name, isLoaded ? await loadModule<object>(name) : {}];
  });
  return { ...Object.fromEntries(await Promise.all(found)), ...replaced };
}

/**
 * Runs a block as the tests do: on a platform of its own, with the setup of its guide, after the earlier
 * blocks of the page. The stage watches only the block itself.
 */
export async function play({ guide, block, earlier }: Program, stage: Stage): Promise<Played> {
  enter(stage);
  actAsServer();
  const printed: string[] = [];
  const docs = createDocsPlatform();
  let end: (() => unknown) | undefined;
  try {
    // The setup replaces modules that the earlier blocks and this one use: load them first.
    for (const one of [...earlier, block]) if (one !== null) await modulesFor(one, {});
    const prepare = guide.endsWith('.md') ? PAGE_SETUPS[guide] : endpointSetup(guide);
    const setup = (await prepare?.(docs)) ?? {};
    end = setup.end;
    routeFetch(docs.fetch);
    const quiet = recordingConsole([]);
    const { client, userClient } = docs;
    let names: Record<string, unknown> = { client, userClient, console: quiet, ...setup.names };
    for (const [index, one] of [...earlier, block].entries()) {
      if (one === null) continue;
      const isLast = index === earlier.length;
      const modules = await modulesFor(one, setup.modules ?? {});
      if (isLast) {
        names = { ...names, console: recordingConsole(printed) };
        currentStage().watch();
      }
      const exported = await runCompiled(one, { names, modules });
      returned((name, value) => isLast && printed.push(`${name}() returned ${show(value)}`));
      await setup.use?.(exported, index + 1);
      const { default: _unnamed, ...named } = exported;
      names = { ...names, ...named };
    }
    return { printed };
  } catch (error) {
    return { printed, error };
  } finally {
    vi.unstubAllGlobals();
    routeFetch(undefined);
    await end?.();
  }
}
