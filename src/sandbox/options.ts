import { parseArgs } from 'node:util';

/** Options of the command line. */
export type SandboxOptions = { port: number; seed: 'demo' | 'empty' };

export const USAGE = `card-platform-sandbox: an in-memory platform on 127.0.0.1

  --port <number>       port to listen on; 0 picks a free one (default 4010)
  --seed <demo|empty>   start with demo users or without users (default demo)
  --help                show this text`;

/** Thrown for an invalid command line. */
export class UsageError extends Error {}

/**
 * Parses the command line. Returns `undefined` for `--help`.
 *
 * @throws UsageError that names the invalid option
 */
export function readOptions(args: readonly string[]): SandboxOptions | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const { port = '4010', seed = 'demo' } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError('--port must be a number from 0 to 65535');
  }
  if (seed !== 'demo' && seed !== 'empty') throw new UsageError('--seed must be demo or empty');
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
