import { createDocsPlatform } from '../../../test/docs/docs-platform.js';
import { PAGE_SETUPS } from '../../../test/docs/page-setups.js';
import { runBlock } from '../../../test/docs/run-block.js';
import { loadModule } from '../load-script.js';
import { fileOf } from '../module-file.js';
import { returned } from './page-setup.js';
import { routeFetch } from './route-fetch.js';
import { currentStage, enter, type Stage } from './stage.js';
import { actAsServer, vi } from './vitest.js';

/** A program to run: a block of a guide, after the earlier blocks of its page. */
export type Program = {
  /** The file name of the guide. */
  guide: string;
  code: string;
  /** The earlier blocks; `undefined` for one that cannot run in a page. */
  earlier: readonly (string | undefined)[];
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

const importsOf = (code: string) =>
  globalThis.ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);

/**
 * The modules that a block imports. A module that is imported only for its types need not exist in
 * a page.
 */
async function modulesFor(
  code: string,
  replaced: Readonly<Record<string, object>>,
): Promise<Record<string, object>> {
  const { ModuleKind, ScriptTarget, transpile } = globalThis.ts;
  const options = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
  const used = new Set(importsOf(transpile(code, options)));
  const found = importsOf(code).map(async (name): Promise<[string, object]> => {
    const isLoaded = used.has(name) && !(name in replaced);
    return [name, isLoaded ? await loadModule<object>(name, fileOf(name)) : {}];
  });
  return { ...Object.fromEntries(await Promise.all(found)), ...replaced };
}

/**
 * Runs a block as the tests do: on a platform of its own, with the setup of its guide, after the earlier
 * blocks of the page. The stage watches only the block itself.
 */
export async function play({ guide, code, earlier }: Program, stage: Stage): Promise<Played> {
  enter(stage);
  actAsServer();
  const printed: string[] = [];
  const docs = createDocsPlatform();
  let end: (() => unknown) | undefined;
  try {
    // The setup replaces modules that the earlier blocks and this one use: load them first.
    for (const block of [...earlier, code]) await modulesFor(block ?? '', {});
    const setup = (await PAGE_SETUPS[guide]?.(docs)) ?? {};
    end = setup.end;
    routeFetch(docs.fetch);
    const quiet = recordingConsole([]);
    const { platform, user } = docs;
    let names: Record<string, unknown> = { platform, user, console: quiet, ...setup.names };
    for (const [index, block] of [...earlier, code].entries()) {
      if (block === undefined) continue;
      const isLast = index === earlier.length;
      if (isLast) {
        names = { ...names, console: recordingConsole(printed) };
        currentStage().watch();
      }
      const modules = await modulesFor(block, setup.modules ?? {});
      const part = { name: guide, language: 'ts', code: block };
      const exported = await runBlock(
        { ...part, notExecuted: undefined, notInBrowser: undefined },
        { names, modules },
      );
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
