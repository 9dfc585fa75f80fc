import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { meantOption } from '../contract/formats/option-names.js';
import { parseWebUrl } from '../contract/formats/url.js';
import { requireLoopback } from '../testing/check-options.js';
import { parseHost } from './access.js';

/** Thrown for an invalid command line. The usage of the command is printed after its message. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A subcommand of `card-platform-sandbox`. */
export type Command = {
  /** The text of `--help`. */
  usage: string;
  /**
   * Runs the command with the arguments after its name.
   *
   * @throws UsageError for an invalid command line
   */
  run: (args: readonly string[]) => Promise<void>;
};

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
 * @throws UsageError that says which option is invalid, and which one is probably meant
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

/** Reads a value of `--allow-host`, and returns the host as it stands in URLs. */
export function readHost(text: string): string {
  const host = parseHost(text);
  if (host !== undefined) return host;
  throw new UsageError(
    '--allow-host must be a host name or an IP address, without scheme and port',
  );
}

/** Reads the text of the file whose path is the value of an option. */
export function readFileOf(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`${option} cannot be read`);
  }
}

/**
 * Returns the URL to send signed events to: on this machine, or on a host that was allowed.
 *
 * @throws UsageError for any other URL
 */
export function receiverUrl(to: string | undefined, allowedHosts: readonly string[]): string {
  const hosts = allowedHosts.map(readHost);
  const url = parseWebUrl(to);
  if (to === undefined || url === undefined)
    throw new UsageError('--to must be an http or https URL');
  if (hosts.includes(url.host)) return to;
  try {
    return requireLoopback(to);
  } catch {
    throw new UsageError('--to must be an http URL on this machine, or on a host of --allow-host');
  }
}
