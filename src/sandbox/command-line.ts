import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { meantOption } from '../contract/formats/option-names.js';
import { UsageError } from './usage-error.js';

/** Describes the first option that a command does not have. */
function unknownOption({ args = [], options = {} }: ParseArgsConfig): string | undefined {
  const given = args.flatMap((arg) => /^--?([A-Za-z][A-Za-z-]*)/.exec(arg)?.[1] ?? []);
  const unknown = given.find((name) => !Object.hasOwn(options, name));
  if (unknown === undefined) return undefined;
  const meant = meantOption(unknown, Object.keys(options))?.split('.')[0];
  const advice = meant === undefined ? '' : ` Did you mean --${meant}?`;
  return `--${unknown} is not a known option.${advice}`;
}

/**
 * Parses a command line.
 *
 * @throws UsageError that names the invalid option, and the one that is probably meant
 */
export function parseCommandLine<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const { code } = error as { code?: string };
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? unknownOption(config) : undefined;
    const message = error instanceof Error ? error.message : 'unknown option';
    throw new UsageError(unknown ?? message);
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
