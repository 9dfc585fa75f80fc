import { randomUUID } from 'node:crypto';
import { DROP_MOMENTS, FAULT_MOMENTS } from '../../testing/faults.js';
import type { FaultTarget, HeldRequests, MockPlatform } from '../../testing/index.js';
import { type Control, type ControlAction, type Input, textOf, USER } from './control-action.js';
import { complete, fields, type ObjectSchema, type Schema } from './schema.js';

/**
 * Checks the names and values of headers now, because a response with invalid ones could not be sent.
 *
 * @throws Error that says which field is not valid
 */
export function requireHeaders(field: string, headers: unknown): void {
  try {
    new Headers(Object(headers) as Record<string, string>);
  } catch {
    throw new Error(`${field} must be headers that HTTP can carry`);
  }
}

/** The requests that a fault concerns. */
const ENDPOINT: Schema = {
  type: 'string',
  description:
    'Id of an endpoint, such as card.freeze; id of a route from serve, such as GET /v1/limits/{id}; * for all.',
};

/** HTTP headers by name. */
export const HEADERS: Schema = { type: 'object', additionalProperties: { type: 'string' } };

/** Whether a request fails or is held before the platform has processed it or after. */
const MOMENT: Schema = {
  enum: FAULT_MOMENTS,
  description: 'after-processing: the state has changed. Default before-processing.',
};

const SCOPE = {
  times: { type: 'integer', minimum: 1, description: 'How many requests. Default 1.' },
  nth: {
    type: 'integer',
    minimum: 1,
    description: 'The first request that the fault concerns, counted from now: 2 lets one pass.',
  },
  user: USER,
} as const satisfies Record<string, Schema>;

/** Builds the schema of the options of a fault. */
const faultOptions = (others: Readonly<Record<string, Schema>> = {}): ObjectSchema =>
  fields({ ...SCOPE, ...others });

// The schemas have checked these. The platform checks them again, for callers without types.
type FailArguments = Parameters<MockPlatform['fail']>;
type DropArguments = Parameters<MockPlatform['drop']>;

/** Actions that plan faults. */
export const faultActions: Readonly<Record<string, ControlAction>> = {
  fail: {
    summary: 'Fails the next requests to an endpoint with a status',
    input: fields(
      {
        endpoint: ENDPOINT,
        failure: {
          description:
            'A documented status such as 503, {"status": 418, "isUndocumented": true}, or {"success": false} with status 200.',
          anyOf: [{ type: 'integer', minimum: 400, maximum: 599 }, { type: 'object' }],
        },
        status: {
          type: 'integer',
          minimum: 400,
          maximum: 599,
          description: 'Any error status, instead of failure.',
        },
        options: faultOptions({
          body: { description: 'JSON, or a text. Default: the documented body.' },
          headers: HEADERS,
          moment: MOMENT,
          isCutOff: {
            type: 'boolean',
            description: 'Whether the connection breaks after half of the body. Default false.',
          },
        }),
      },
      'endpoint',
    ),
    example: {
      endpoint: 'card.freeze',
      failure: 503,
      options: { times: 2, headers: { 'retry-after': '1' } },
    },
    run({ platform }, input) {
      const { status, failure = { status, isUndocumented: true }, options } = input;
      requireHeaders('options.headers', Object(options).headers);
      const given = [textOf(input, 'endpoint'), failure, options];
      platform.fail(...(given as FailArguments));
    },
  },
  drop: {
    summary: 'Breaks the connection of the next requests to an endpoint',
    input: fields(
      {
        endpoint: ENDPOINT,
        moment: {
          enum: DROP_MOMENTS,
          description:
            'mid-body: after half of the response. Default after-processing: the response is lost.',
        },
        options: faultOptions(),
      },
      'endpoint',
    ),
    example: { endpoint: 'wallets.credit.withdraw', moment: 'after-processing' },
    run({ platform }, input) {
      const given = [textOf(input, 'endpoint'), input['moment'], input['options']];
      platform.drop(...(given as DropArguments));
    },
  },
  setLatency: {
    summary: 'Delays every response, or those of one endpoint, by milliseconds of real time',
    input: fields(
      { endpoint: ENDPOINT, ms: { type: 'integer', minimum: 0, maximum: 600_000 } },
      'ms',
    ),
    example: { endpoint: 'card.createDetailsToken', ms: 2_000 },
    run({ platform }, input) {
      const { endpoint = '*', ms } = input;
      platform.setLatency(endpoint as FaultTarget, Number(ms));
    },
  },
  assertFaultsUsed: {
    summary: 'Responds with 400 and a list unless every planned fault and hold was used',
    input: fields({}),
    example: {},
    run: ({ platform }) => platform.assertFaultsUsed(),
  },
};

const ID: Schema = { type: 'string', description: 'Returned by hold.' };
const EXAMPLE_ID = 'the id that hold returned';
const DEFAULT_WAIT_MS = 30_000;

type HoldArguments = Parameters<MockPlatform['hold']>;

function holdOf({ holds }: Control, input: Input): HeldRequests {
  const held = holds.get(textOf(input, 'id'));
  if (held !== undefined) return held;
  throw new Error('there is no hold with this id: a reset ends all holds');
}

/** Waits for the first request of a hold. Returns `false` when none has arrived in time. */
async function arrivesWithin({ arrived }: HeldRequests, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
    // A sandbox that stops does not wait for it.
    timer.unref();
  });
  return Promise.race([arrived.then(() => true), late]).finally(() => clearTimeout(timer));
}

/** Actions that hold requests until they are released. */
export const holdActions: Readonly<Record<string, ControlAction>> = {
  hold: {
    summary: 'Holds the next request to an endpoint until release, and returns the id of the hold',
    input: fields({ endpoint: ENDPOINT, options: faultOptions({ moment: MOMENT }) }, 'endpoint'),
    example: { endpoint: 'card.freeze' },
    result: complete({ id: ID }),
    run({ platform, holds }, input) {
      const given = [textOf(input, 'endpoint'), input['options']];
      const held = platform.hold(...(given as HoldArguments));
      const id = randomUUID();
      holds.set(id, held);
      return { id };
    },
  },
  waitForHeld: {
    summary: 'Waits until a request is held, and returns how many have been held',
    input: fields(
      {
        id: ID,
        ms: {
          type: 'integer',
          minimum: 1,
          maximum: 600_000,
          description: `Milliseconds of real time to wait. Default ${DEFAULT_WAIT_MS}.`,
        },
      },
      'id',
    ),
    example: { id: EXAMPLE_ID },
    result: complete({ requests: { type: 'integer' } }),
    async run(control, input) {
      const { ms = DEFAULT_WAIT_MS } = input;
      const held = holdOf(control, input);
      if (await arrivesWithin(held, Number(ms))) return { requests: held.requests.length };
      throw new Error(`no request was held within ${ms} ms`);
    },
  },
  release: {
    summary: 'Lets the held requests continue',
    input: complete({ id: ID }),
    example: { id: EXAMPLE_ID },
    run(control, input) {
      holdOf(control, input).release();
    },
  },
};
