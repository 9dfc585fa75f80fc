import { isObject } from '../../contract/formats/is-object.js';
import { requireLoopback } from '../../testing/check-options.js';
import { choicesFrom } from '../../testing/choices.js';
import type { MockPlatform, MockSnapshot, MockState, MockWebhook } from '../../testing/index.js';
import { createMockPlatform } from '../../testing/platform.js';
import { publicState } from '../public-state.js';
import { complete, FLAG, fields, problemOf, type Schema, TEXT, TEXT_OR_NULL } from './schema.js';

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

const COUNT: Schema = { type: 'integer' };
const TEXTS: Schema = { type: 'array', items: TEXT };
const OBJECT: Schema = { type: 'object' };

const WEBHOOK = {
  id: TEXT,
  tenant: TEXT,
  name: TEXT,
  url: TEXT,
  apiKey: TEXT,
  eventTypes: TEXTS,
  isActive: FLAG,
  metadata: OBJECT,
  createdAt: TEXT,
  updatedAt: TEXT,
};

const DELIVERY = {
  id: TEXT,
  webhookId: TEXT,
  eventId: TEXT,
  eventType: TEXT,
  attemptNumber: COUNT,
  url: TEXT,
  body: TEXT,
  headers: { type: 'object', additionalProperties: TEXT },
  status: { anyOf: [COUNT, { type: 'null' }] },
  responseBody: TEXT_OR_NULL,
  errorMessage: TEXT_OR_NULL,
  deliveryStatus: { enum: ['pending', 'processing', 'success', 'failed'] },
  createdAt: TEXT,
  nextRetryAt: TEXT_OR_NULL,
} satisfies Readonly<Record<string, Schema>>;

const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** The parts that events are sent from, also while no request arrives. */
const SENDING_PARTS: Schema = {
  properties: {
    webhooks: listOf(fields({ ...WEBHOOK, forwardsTo: TEXT }, ...Object.keys(WEBHOOK))),
    deliveries: listOf(fields({ ...DELIVERY, to: TEXT }, ...Object.keys(DELIVERY))),
    tenants: listOf(complete({ name: TEXT, clientKey: TEXT, clientId: TEXT, secretKey: TEXT })),
  },
};

/** Returns whether a value has the parts of a snapshot, and those have the right kind. */
function isSnapshot(value: unknown, current: MockState): value is MockSnapshot {
  if (!isObject(value)) return false;
  const { state, now, ids } = value;
  if (!isObject(state) || typeof now !== 'number' || !Number.isSafeInteger(ids)) return false;
  const given = new Map(Object.entries(state));
  const hasParts = Object.entries(current).every(
    // The observed calls have no state before the first of them.
    ([name, part]) =>
      name === 'observed' || (given.has(name) && kindOf(given.get(name)) === kindOf(part)),
  );
  return hasParts && problemOf(SENDING_PARTS, state) === undefined;
}

const isForwarding = ({ forwardsTo }: MockWebhook) => forwardsTo !== undefined;

/**
 * Restores a snapshot that may come from a file or from another program. A forwarding belongs to the
 * command that runs: those of the sandbox stay, and those of the snapshot are left out.
 *
 * @throws Error for anything that is not a snapshot of this version
 */
export function restoreSnapshot(platform: MockPlatform, snapshot: unknown): void {
  const refusal = new Error('snapshot must come from this version of the sandbox');
  if (!isSnapshot(snapshot, platform.state)) throw refusal;
  const { state } = snapshot;
  const trial = createMockPlatform({ baseUrl: platform.baseUrl });
  try {
    choicesFrom(state.choices);
    // A delivery that is due must not reach another machine.
    for (const { to } of state.deliveries) if (to !== undefined) requireLoopback(to);
    // Without webhooks the trial sends nothing.
    trial.restore({ ...snapshot, state: { ...state, webhooks: [] } });
    // What its users lack shows only when they are read, as every tick does.
    trial.advance(0);
    publicState({ platform: trial, now: () => trial.now });
  } catch {
    throw refusal;
  }
  const webhooks = [
    ...state.webhooks.filter((one) => !isForwarding(one)),
    ...platform.state.webhooks.filter(isForwarding),
  ];
  platform.restore({ ...snapshot, state: { ...state, webhooks } });
}
