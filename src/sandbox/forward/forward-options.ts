import { requireLoopback } from '../../testing/loopback.js';
import { parseCommandLine, readFileOf } from '../command-line.js';
import { receiverUrl } from '../trigger/receiver-url.js';
import { UsageError } from '../usage-error.js';

/** Options of `forward`. */
export type ForwardOptions = {
  /** URL of a running sandbox. */
  from: string;
  /** PEM of the certificate authority of a sandbox with https. Default: those Node.js trusts. */
  ca?: string | undefined;
  /** Receives the events. */
  to: string;
  /** The signing key. Default: a new one. */
  secret: string | undefined;
};

export const FORWARD_USAGE = `card-platform-sandbox forward: sends the events of a running sandbox to your server

  --to <url>            an http URL on this machine
  --from <url>          the sandbox (default http://127.0.0.1:4010)
  --ca-file <path>      the authority (PEM) of the certificate of a sandbox with --tls-cert
  --secret <key>        the signing key that your server expects (default: a new one, printed)
  --allow-host <host>   also send to this host; repeatable
  --help                show this text`;

/**
 * Parses the command line. Returns `undefined` for `--help`.
 *
 * @throws UsageError that names the invalid option
 */
export function readForwardOptions(args: readonly string[]): ForwardOptions | undefined {
  const { values } = parseCommandLine({
    args,
    options: {
      to: { type: 'string' },
      from: { type: 'string' },
      'ca-file': { type: 'string' },
      secret: { type: 'string' },
      'allow-host': { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  const { from = 'http://127.0.0.1:4010', secret } = values;
  if (secret === '') throw new UsageError('--secret must be the signing key');
  try {
    requireLoopback(from.replace(/^https:/i, 'http:'));
  } catch {
    throw new UsageError('--from must be the http or https URL of a sandbox on this machine');
  }
  const ca = readAuthority(from, values['ca-file']);
  return { from, ca, to: receiverUrl(values.to, values['allow-host'] ?? []), secret };
}

function readAuthority(from: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  if (!/^https:/i.test(from)) throw new UsageError('--ca-file needs an https URL in --from');
  return readFileOf('--ca-file', path);
}
