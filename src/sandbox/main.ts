#!/usr/bin/env node
import { nearestName } from '../contract/formats/nearest-name.js';
import { type Command, UsageError } from './command-line.js';
import { forward } from './commands/forward.js';
import { record } from './commands/record.js';
import { serve } from './commands/serve.js';
import { trigger } from './commands/trigger.js';

/** The commands by their first argument. */
const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['serve', serve],
  ['trigger', trigger],
  ['forward', forward],
  ['record', record],
]);

/** Finds the command of a command line. Without a name, `serve` runs. */
function selectCommand([name, ...rest]: readonly string[]): [Command, readonly string[]] {
  if (name === undefined) return [serve, []];
  if (name.startsWith('-')) return [serve, [name, ...rest]];
  const command = COMMANDS.get(name);
  if (command !== undefined) return [command, rest];
  const names = [...COMMANDS.keys()];
  throw new UsageError(
    `the command must be one of ${names.join(', ')}. The nearest is ${nearestName(name, names)}`,
  );
}

let { usage } = serve;
try {
  const [command, args] = selectCommand(process.argv.slice(2));
  ({ usage } = command);
  await command.run(args);
} catch (error) {
  const isKnown = error instanceof UsageError || (error as { code?: string }).code !== undefined;
  console.error(isKnown ? (error as Error).message : error);
  if (error instanceof UsageError) console.error(`\n${usage}`);
  process.exitCode = 1;
}
