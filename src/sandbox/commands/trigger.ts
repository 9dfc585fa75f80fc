import { sampleEvents } from '../trigger/sample-events.js';
import { sendEvent } from '../trigger/send-event.js';
import { readTriggerOptions, TRIGGER_USAGE } from '../trigger/trigger-options.js';
import type { Command } from './command.js';

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
  } catch {
    console.error('no response: is your server running at that URL?');
    process.exitCode = 1;
  }
}

/** `card-platform-sandbox trigger` */
export const trigger: Command = { usage: TRIGGER_USAGE, run };
