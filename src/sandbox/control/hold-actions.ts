import { randomUUID } from 'node:crypto';
import type { HeldRequests, MockPlatform } from '../../testing/index.js';
import { type Control, type ControlAction, type Input, textOf } from './control-action.js';
import { ENDPOINT, faultOptions, MOMENT } from './fault-schema.js';
import { complete, fields, type Schema } from './schema.js';

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
