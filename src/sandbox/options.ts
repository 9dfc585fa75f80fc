import { parseArgs } from 'node:util';

/** How the sandbox is started. */
export type SandboxOptions = { port: number; seed: 'demo' | 'empty' };

export const USAGE = `card-platform-sandbox: the platform in memory, on 127.0.0.1

  --port <number>       port to listen on, 0 for any free one (default 4010)
  --seed <demo|empty>   whether it starts with demo users (default demo)
  --help                this text`;

/** A command line that the sandbox does not take. */
export class UsageError extends Error {}

/**
 * Reads the command line; `undefined` asks for the usage text.
 *
 * @throws UsageError that says what is wrong
 */
export function readOptions(args: readonly string[]): SandboxOptions | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const { port = '4010', seed = 'demo' } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError('--port has to be a number from 0 to 65535');
  }
  if (seed !== 'demo' && seed !== 'empty') throw new UsageError('--seed has to be demo or empty');
  return { port: Number(port), seed };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        seed: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'unknown option');
  }
}
