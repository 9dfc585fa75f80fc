import { isObject } from '../../contract/formats/is-object.js';
import { nearestName } from '../../contract/formats/nearest-name.js';
import { EVENT_ENVELOPES, type EventEnvelope } from '../../testing/event-envelope.js';
import { parseCommandLine, readFileOf } from '../command-line.js';
import { UsageError } from '../usage-error.js';
import { receiverUrl } from './receiver-url.js';
import type { EventData } from './sample-events.js';

/** An event to send. */
export type TriggerOptions = {
  to: string;
  secret: string;
  type: string;
  data: EventData;
  envelope: EventEnvelope;
};

export const TRIGGER_USAGE = `card-platform-sandbox trigger <event>: sends a signed event to your server

  --to <url>            an http URL on this machine
  --secret <key>        the signing key that your server expects
  --data <json|file>    JSON object, or a file with one, that replaces fields of the event's data
  --unlisted            send an event that is not on the list
  --envelope <form>     vendor, snake_case or camelCase (default vendor)
  --allow-host <host>   also send to this host; repeatable
  --list                list the events
  --help                show this text`;

/**
 * Parses the command line. Returns `undefined` for `--help`, and `'list'` for `--list`.
 *
 * @throws UsageError that names the invalid option
 */
export function readTriggerOptions(
  args: readonly string[],
  events: ReadonlyMap<string, EventData>,
): TriggerOptions | 'list' | undefined {
  const { values, positionals } = parseCommandLine({
    args,
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      secret: { type: 'string' },
      data: { type: 'string' },
      unlisted: { type: 'boolean' },
      envelope: { type: 'string' },
      'allow-host': { type: 'string', multiple: true },
      list: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  if (values.list) return 'list';
  const [type = '', ...surplus] = positionals;
  if (type === '' || surplus.length > 0) throw new UsageError('name one event');
  const sample = events.get(type);
  if (sample === undefined && values.unlisted !== true) {
    const nearest = nearestName(type, [...events.keys()]);
    throw new UsageError(`this event is not known; the nearest is ${nearest}. See --list`);
  }
  const { secret = '', envelope = 'vendor' } = values;
  if (secret === '') throw new UsageError('--secret must be the signing key');
  const form = EVENT_ENVELOPES.find((one) => one === envelope);
  if (form === undefined) {
    throw new UsageError(`--envelope must be one of ${EVENT_ENVELOPES.join(', ')}`);
  }
  return {
    to: receiverUrl(values.to, values['allow-host'] ?? []),
    secret,
    type,
    data: { ...sample, ...readData(values.data) },
    envelope: form,
  };
}

function readData(given: string | undefined): EventData {
  if (given === undefined) return {};
  const text = given.trim().startsWith('{') ? given : readFileOf('--data', given);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    data = undefined;
  }
  if (!isObject(data)) throw new UsageError('--data must be a JSON object, or a file with one');
  return data;
}
