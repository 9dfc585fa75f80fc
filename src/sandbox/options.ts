import { parseArgs } from 'node:util';
import { CHOICE_NAMES, readChoice } from '../testing/choices.js';
import type { MockChoices } from '../testing/index.js';
import { requireLoopback } from '../testing/loopback.js';
import { UsageError } from './usage-error.js';

/** Options of the command line. */
export type SandboxOptions = {
  port: number;
  seed: 'demo' | 'empty';
  choices: Partial<MockChoices>;
  /** Where the deliveries of webhooks are sent, on this machine. */
  webhooksTo: string | undefined;
};

export const USAGE = `card-platform-sandbox: an in-memory platform on 127.0.0.1

  --port <number>       port to listen on; 0 picks a free one (default 4010)
  --seed <demo|empty>   start with demo users or without users (default demo)
  --choose <name=value> what the contract leaves open, such as otpRequiredStatus=200; repeatable:
                        ${CHOICE_NAMES.slice(0, 4).join(', ')},
                        ${CHOICE_NAMES.slice(4, 8).join(', ')},
                        ${CHOICE_NAMES.slice(8).join(', ')}
  --webhooks-to <url>   send the deliveries of webhooks to this http URL on this machine
  --help                show this text`;

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
  return {
    port: Number(port),
    seed,
    choices: readChoices(values.choose ?? []),
    webhooksTo: readReceiver(values['webhooks-to']),
  };
}

function readChoices(given: readonly string[]): Partial<MockChoices> {
  try {
    return Object.assign({}, ...given.map((text) => readChoice(...splitChoice(text))));
  } catch (error) {
    throw new UsageError(`--choose: ${error instanceof Error ? error.message : 'is not valid'}`);
  }
}

function splitChoice(text: string): [name: string, value: string] {
  const [name = '', ...value] = text.split('=');
  return [name, value.join('=')];
}

function readReceiver(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : requireLoopback(url);
  } catch {
    throw new UsageError('--webhooks-to must be an http URL on this machine');
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        seed: { type: 'string' },
        choose: { type: 'string', multiple: true },
        'webhooks-to': { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'unknown option');
  }
}
