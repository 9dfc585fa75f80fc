import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './usage-error.js';

/**
 * Parses a command line.
 *
 * @throws UsageError that names the invalid option
 */
export function parseCommandLine<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'unknown option');
  }
}

/** Reads the value of `--port`. */
export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError('--port must be a number from 0 to 65535');
}

/** Reads the text of the file that an option names. */
export function readFileOf(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`${option} cannot be read`);
  }
}
