import { inspect } from 'node:util';
import fc from 'fast-check';
import { vi } from 'vitest';
import { checkWorld } from './judge.js';
import { anyMove, type Move, play } from './moves.js';
import type { Tab } from './pages.js';
import { recover } from './recover.js';
import type { Seed } from './seeds.js';
import type { Planted } from './start.js';
import { type Setting, World } from './world.js';

const MAX_MOVES = 30;

/** A move as a command of fast-check, which shrinks a failing sequence of them. */
class MoveCommand implements fc.AsyncCommand<object, World> {
  readonly move: Move;
  readonly planted: Planted | undefined;

  constructor(move: Move, planted: Planted | undefined) {
    this.move = move;
    this.planted = planted;
  }

  check(): boolean {
    return true;
  }

  async run(_: object, world: World): Promise<void> {
    await play(world, this.move, this.planted);
    await world.quiet();
    checkWorld(world);
  }

  toString(): string {
    return JSON.stringify(this.move);
  }
}

const anySetting: fc.Arbitrary<Setting> = fc.record({
  expires: fc.boolean(),
  hasStranger: fc.boolean(),
});

/** Plays one sequence of moves in a new world, then lets everything recover. */
async function playAll(
  world: World,
  moves: Iterable<fc.AsyncCommand<object, World>>,
  planted: Planted | undefined,
): Promise<void> {
  // Nothing waits in real time, and a page that was closed leaves no timer behind.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await fc.asyncModelRun(() => ({ model: {}, real: world }), moves);
    await recover(world, planted);
  } finally {
    vi.clearAllTimers();
    vi.useRealTimers();
  }
}

/** Replays a sequence of moves that once failed. */
export function replay(tabs: readonly Tab[], { setting, moves }: Seed): Promise<void> {
  const commands = moves.map((move) => new MoveCommand(move, undefined));
  return playAll(new World(setting, tabs), commands, undefined);
}

/** The smallest failing sequence, and its violation. */
export function describeFailure(report: Awaited<ReturnType<typeof explore>>): string {
  return `${fc.defaultReportMessage(report)}\n${inspect(report.errorInstance, { depth: 6 })}`;
}

/** Plays many sequences. Returns the report of fast-check, with the smallest failing one. */
export function explore(
  tabs: readonly Tab[],
  parameters: fc.Parameters<[Setting, Iterable<fc.AsyncCommand<object, World>>]>,
  planted?: Planted,
) {
  const moves = fc.commands(
    [anyMove.map((move): fc.AsyncCommand<object, World> => new MoveCommand(move, planted))],
    { maxCommands: MAX_MOVES, size: 'max' },
  );
  return fc.check(
    fc.asyncProperty(anySetting, moves, (setting, commands) =>
      playAll(new World(setting, tabs), commands, planted),
    ),
    parameters,
  );
}
