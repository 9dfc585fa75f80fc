import { CHOICE_NAMES, readChoice } from '../../testing/choices.js';
import type { Duration, MockDelivery } from '../../testing/index.js';
import { type Control, type ControlAction, type Input, textOf } from './control-action.js';
import { restoreSnapshot } from './restore-snapshot.js';
import { complete, fields, type Schema, TEXT, TEXT_OR_NULL } from './schema.js';

const COUNT: Schema = { type: 'integer' };
const SNAPSHOT_NAME: Schema = { type: 'string', description: 'Default: "default".' };
const MAX_MINUTES = 525_600;
const MAX_SNAPSHOTS = 100;

const DELIVERY_FIELDS = {
  eventId: TEXT,
  eventType: TEXT,
  url: TEXT,
  attemptNumber: COUNT,
  status: { anyOf: [COUNT, { type: 'null' }], description: 'null when nothing was received.' },
  errorMessage: TEXT_OR_NULL,
  deliveryStatus: TEXT,
  body: { type: 'string', description: 'The body as it was signed.' },
  headers: { type: 'object', additionalProperties: TEXT },
} satisfies Partial<Record<keyof MockDelivery, Schema>>;
const DELIVERY_NAMES = Object.keys(DELIVERY_FIELDS) as (keyof typeof DELIVERY_FIELDS)[];
const DELIVERY = complete(DELIVERY_FIELDS);

const deliveryResult = (delivery: MockDelivery) =>
  Object.fromEntries(DELIVERY_NAMES.map((name) => [name, delivery[name]]));

function durationOf({ minutes, duration, to }: Input, now: number): Duration {
  const given = [minutes, duration, to].filter((one) => one !== undefined);
  if (given.length !== 1) throw new Error('pass one of minutes, duration and to');
  if (minutes !== undefined) return Number(minutes) * 60_000;
  // `advance` checks the duration, for callers without types too.
  if (duration !== undefined) return duration as Duration;
  const time = Date.parse(String(to));
  if (time >= now) return time - now;
  throw new Error('to must be a time, and not before the time of the platform');
}

function restore(control: Control, input: Input): void {
  const { platform, snapshots } = control;
  const name = textOf(input, 'name') || 'default';
  const snapshot = input['snapshot'] ?? snapshots.get(name);
  if (snapshot === undefined) throw new Error(`there is no snapshot "${name}"`);
  restoreSnapshot(platform, snapshot);
  control.catchUp();
}

/** Actions on the platform as a whole: its time, its state, its events. */
export const platformActions: Readonly<Record<string, ControlAction>> = {
  advance: {
    summary: 'Moves the clock forward, and runs everything that is due',
    input: fields({
      minutes: { type: 'number', minimum: 0.001, maximum: MAX_MINUTES },
      duration: {
        anyOf: [{ type: 'string' }, { type: 'number', minimum: 0 }],
        description: 'Such as "10 minutes" or "6 hours", or milliseconds.',
      },
      to: {
        type: 'string',
        description: 'A time in ISO 8601, not before the time of the platform.',
      },
    }),
    example: { duration: '6 hours' },
    run: ({ platform }, input) => platform.advance(durationOf(input, platform.now)),
  },
  deliver: {
    summary:
      'Delivers an event to every active webhook that subscribes to it, and waits for the responses',
    input: fields(
      {
        type: {
          type: 'string',
          pattern: '^[a-z0-9_]{1,64}(?:\\.[a-z0-9_]{1,64}){0,4}$',
          description: 'an event such as card.activated',
        },
        data: { type: 'object' },
        tenant: { type: 'string', description: 'Default: every tenant.' },
        to: {
          type: 'string',
          description: 'An http URL on this machine, in place of the URL of the webhook.',
        },
      },
      'type',
    ),
    example: { type: 'card.activated', data: { userId: 'user-1' } },
    result: { type: 'array', items: DELIVERY },
    async run({ platform }, input) {
      const { data, tenant } = input;
      const event = {
        type: textOf(input, 'type'),
        ...(data !== undefined && { data: Object(data) as Record<string, unknown> }),
        ...(tenant !== undefined && { tenant: String(tenant) }),
      };
      const to = textOf(input, 'to') || undefined;
      return (await platform.deliver(event, { to })).map(deliveryResult);
    },
  },
  saveSnapshot: {
    summary: 'Saves the state and the time under a name, until the sandbox stops',
    input: fields({ name: SNAPSHOT_NAME }),
    example: { name: 'logged-in' },
    run({ platform, snapshots }, input) {
      const name = textOf(input, 'name') || 'default';
      if (snapshots.size >= MAX_SNAPSHOTS && !snapshots.has(name)) {
        throw new Error(`a sandbox keeps at most ${MAX_SNAPSHOTS} snapshots`);
      }
      snapshots.set(name, platform.snapshot());
    },
  },
  restoreSnapshot: {
    summary: 'Restores a snapshot by its name, or one from GET /sandbox/snapshot',
    input: fields({ name: SNAPSHOT_NAME, snapshot: { type: 'object' } }),
    example: { name: 'logged-in' },
    run: restore,
  },
  reset: {
    summary:
      'Resets state, requests, faults, latency and routes, and adds the users of the seed again',
    input: fields({
      seed: { enum: ['demo', 'empty'], description: 'Default: the seed of the command line.' },
    }),
    example: { seed: 'demo' },
    run: (control, { seed }) =>
      control.reset(seed === 'demo' || seed === 'empty' ? seed : undefined),
  },
  choose: {
    summary: 'Sets a behaviour that the contract leaves open',
    input: fields(
      {
        name: { enum: CHOICE_NAMES },
        value: { anyOf: [{ type: 'string' }, { type: 'integer' }], description: 'Such as 200.' },
      },
      'name',
      'value',
    ),
    example: { name: 'otpRequiredStatus', value: 200 },
    run: ({ platform }, input) => {
      const choice = readChoice(textOf(input, 'name'), String(input['value']));
      Object.assign(platform.state.choices, choice);
    },
  },
  tenant: {
    summary: 'Adds a tenant, and returns its credentials',
    input: complete({ name: TEXT }),
    example: { name: 'acme' },
    result: complete({ name: TEXT, clientKey: TEXT, clientId: TEXT, secretKey: TEXT }),
    run: ({ platform }, input) => platform.tenants.add(textOf(input, 'name')),
  },
};
