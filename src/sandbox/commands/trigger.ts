import { randomUUID } from 'node:crypto';
import { isObject } from '../../contract/formats/is-object.js';
import { nearestName } from '../../contract/formats/nearest-name.js';
import {
  EVENT_ENVELOPES,
  type EventEnvelope,
  eventEnvelope,
} from '../../testing/event-envelope.js';
import { cardActivated, paymentMade, verificationChanged } from '../../testing/events.js';
import { createMockPlatform } from '../../testing/index.js';
import { signBody } from '../../testing/webhook-signature.js';
import { SecretValues } from '../../transport/response/redact.js';
import {
  type Command,
  parseCommandLine,
  readFileOf,
  receiverUrl,
  UsageError,
} from '../command-line.js';

/** The data of an event. */
type EventData = Readonly<Record<string, unknown>>;

/**
 * Returns an event of each type that the mock platform delivers by itself. The contract documents no
 * data of an event, and no type for a declined payment: those are the mock's own.
 */
export function sampleEvents(): ReadonlyMap<string, EventData> {
  const platform = createMockPlatform({ startsAt: Date.now() });
  const pending = platform.users.add({ card: 'PENDING' });
  const active = platform.users.add({
    card: 'ACTIVE',
    wallets: [{ network: 'linea', currency: 'usdc', balance: '100', isLinked: true }],
  });
  const cleared = platform.cards.pay(active, { amount: '3.50', merchant: 'Bakery' });
  const declined = platform.cards.pay(active, { amount: '500', merchant: 'Bakery' });
  platform.cards.provision(pending);
  const { card } = pending;
  const events = [
    verificationChanged(active, 'PENDING'),
    ...(card === null ? [] : [cardActivated(pending, card)]),
    paymentMade(active, cleared),
    paymentMade(active, declined),
  ];
  return new Map(events.map(({ type, data }) => [type, data]));
}

/** An event to send. */
type TriggerOptions = {
  to: string;
  secret: string;
  type: string;
  data: EventData;
  envelope: EventEnvelope;
};

const TRIGGER_USAGE = `card-platform-sandbox trigger <event>: sends a signed event to your server

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
 * @throws UsageError that says which option is invalid
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

/** The response of a receiver, cleaned for the console. */
type TriggerResult = { eventId: string; status: number; body: string };

const LONGEST_BODY = 1_000;
/** As long as the service is known to wait for a receiver. */
const LONGEST_WAIT_MS = 30_000;

/** Signs an event at the current time, sends it once, and returns the response. */
async function sendEvent(
  { to, secret, type, data, envelope }: TriggerOptions,
  now: number,
): Promise<TriggerResult> {
  const eventId = randomUUID();
  const createdAt = new Date(now).toISOString();
  const event = eventEnvelope({ eventId, eventType: type, createdAt, data }, envelope);
  const signed = signBody(secret, JSON.stringify(event), now);
  const response = await fetch(to, {
    method: 'POST',
    ...signed,
    redirect: 'manual',
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  });
  // The status decides, as for a delivery of the sandbox: the body may break off, or never end.
  const text = await response.text().catch(() => '');
  const body = new SecretValues([secret]).clean(text, LONGEST_BODY);
  return { eventId, status: response.status, body };
}

/** Sends one event. The exit code is 1 unless the response is a 2xx. */
async function run(args: readonly string[]): Promise<void> {
  const events = sampleEvents();
  const options = readTriggerOptions(args, events);
  if (options === undefined) return console.log(TRIGGER_USAGE);
  if (options === 'list') return console.log([...events.keys()].join('\n'));
  try {
    const { eventId, status, body } = await sendEvent(options, Date.now());
    console.log(`${options.type} ${eventId}: ${status}${body === '' ? '' : `\n${body}`}`);
    if (status < 200 || status > 299) process.exitCode = 1;
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    console.error(
      isLate ? 'no response within 30 seconds' : 'no response: is your server running at that URL?',
    );
    process.exitCode = 1;
  }
}

/** `card-platform-sandbox trigger` */
export const trigger: Command = { usage: TRIGGER_USAGE, run };
