import { parseArgs } from 'node:util';
import { isSecureUrl, parseWebUrl } from '../../contract/formats/url.js';
import { type Command, readPort, UsageError } from '../command-line.js';
import { startRecordProxy } from '../record/record-proxy.js';
import { Recording } from '../record/recording.js';

/** Options of `record`. */
type RecordOptions = { service: URL; out: string; port: number; observed: boolean };

export const RECORD_USAGE = `card-platform-sandbox record: passes the calls of your app on to a real service, and writes them
as fixtures without secrets, with a report of what differs from the contract

  --service <url>   base URL of the service: https, or http on this machine
  --out <folder>    a new or empty folder for the fixtures and the report
  --port <number>   port to listen on, on 127.0.0.1; 0 picks a free one (default 4020)
  --observed        also compare the calls that deployed clients make beyond the contract, such as
                    OAuth and registration, with what was observed of them
  --help            show this text

  Use test data: everything that you do happens at the service.`;

/**
 * Parses the command line. Returns `undefined` for `--help`. No message repeats an argument.
 *
 * @throws UsageError that says which option is invalid
 */
export function readRecordOptions(args: readonly string[]): RecordOptions | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  if (positionals.length > 0) throw new UsageError('record accepts only options');
  const { service = '', out = '', port = '4020', observed = false } = values;
  const url = parseWebUrl(service);
  if (url === undefined || !isSecureUrl(service) || url.query !== '') {
    throw new UsageError('--service must be an https URL, or an http URL on this machine');
  }
  if (out.trim() === '') throw new UsageError('--out must be a folder');
  return { service: new URL(`${url.origin}${url.path}`), out, port: readPort(port), observed };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        service: { type: 'string' },
        out: { type: 'string' },
        port: { type: 'string' },
        observed: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch {
    throw new UsageError(
      'the options are --service, --out and --port, each with a value, and --observed without one',
    );
  }
}

/** Records calls until a signal. */
async function run(args: readonly string[]): Promise<void> {
  const options = readRecordOptions(args);
  if (options === undefined) return console.log(RECORD_USAGE);
  const recording = await Recording.start(options.out, console.log);
  const { service, port, observed } = options;
  const { url, stop } = await startRecordProxy(service, port, recording, observed);
  console.log(`card-platform-sandbox records on ${url}`);
  console.log('  Use it as the base URL of your app. Stop it with Ctrl+C.');
  const finish = async () => {
    await stop();
    const count = await recording.finish();
    console.log(`stopped. Differences from the contract: ${count}, see report.md`);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void finish());
}

/** `card-platform-sandbox record` */
export const record: Command = { usage: RECORD_USAGE, run };
