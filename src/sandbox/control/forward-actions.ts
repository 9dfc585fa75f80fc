import { requireLoopback } from '../../testing/check-options.js';
import type { MockPlatform } from '../../testing/index.js';
import { type ControlAction, textOf } from './control-action.js';
import { complete, type Schema } from './schema.js';

/** A receiver of every event, besides the webhooks of the app. */
type Forwarding = {
  /** Chosen by the receiver. */
  id: string;
  /** An http URL on this machine. */
  to: string;
  /** The signing key. */
  key: string;
};

const ID = /^[\w-]{8,64}$/;
const LONGEST_KEY = 256;

/**
 * Sends every event to a receiver on this machine, signed with its key. A known receiver gets its new
 * URL and key.
 *
 * @throws Error that says which field is not valid
 */
function forwardEvents(platform: MockPlatform, { id, to, key }: Forwarding): void {
  if (!ID.test(id)) throw new Error('id must be 8 to 64 letters, digits, hyphens or underscores');
  if (key === '' || key.length > LONGEST_KEY) throw new Error('key must be a signing key');
  const forwardsTo = requireLoopback(to);
  const { webhooks, tenants } = platform.state;
  const known = webhooks.find((webhook) => webhook.id === id && webhook.forwardsTo !== undefined);
  if (known !== undefined) {
    Object.assign(known, { forwardsTo, apiKey: key });
    return;
  }
  const at = new Date(platform.now).toISOString();
  webhooks.push({
    id,
    tenant: tenants[0]?.name ?? '',
    name: 'card-platform-sandbox forward',
    url: forwardsTo,
    apiKey: key,
    eventTypes: ['*'],
    isActive: true,
    metadata: {},
    createdAt: at,
    updatedAt: at,
    forwardsTo,
  });
}

/** Undoes `forwardEvents`. */
function stopForwarding(platform: MockPlatform, id: string): void {
  const { state } = platform;
  state.webhooks = state.webhooks.filter(
    (webhook) => webhook.id !== id || webhook.forwardsTo === undefined,
  );
}

const RECEIVER_ID: Schema = { type: 'string', description: 'Chosen by the receiver.' };
const EXAMPLE_ID = '6d2f3c1a-58a4-4c0e-9a53-2f1b7a0c9e11';

/** Actions by which the command `forward` connects to the sandbox. */
export const forwardActions: Readonly<Record<string, ControlAction>> = {
  forward: {
    summary: 'Sends every event to a receiver on this machine as well, signed with its key',
    input: complete({
      id: RECEIVER_ID,
      to: { type: 'string', description: 'An http URL on this machine.' },
      key: { type: 'string', description: 'The signing key.' },
    }),
    example: { id: EXAMPLE_ID, to: 'http://127.0.0.1:3000/hooks', key: 'whk_test' },
    run: ({ platform }, input) =>
      forwardEvents(platform, {
        id: textOf(input, 'id'),
        to: textOf(input, 'to'),
        key: textOf(input, 'key'),
      }),
  },
  stopForwarding: {
    summary: 'Stops sending events to the receiver that forward added',
    input: complete({ id: RECEIVER_ID }),
    example: { id: EXAMPLE_ID },
    run: ({ platform }, input) => stopForwarding(platform, textOf(input, 'id')),
  },
};
