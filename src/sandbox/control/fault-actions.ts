import type { MockPlatform } from '../../testing/index.js';
import { type Control, type ControlAction, fields, type Input, textOf } from './control-action.js';
import type { Schema } from './schema.js';

const ENDPOINT: Schema = {
  type: 'string',
  description: 'Id of the endpoint, such as card.freeze; * for every endpoint.',
};
const OPTIONS: Schema = {
  type: 'object',
  description:
    'The options of the function of the same name in card-platform-sdk/testing, such as times. A user is named by id or e-mail address.',
};

/** An option that names a user holds the user itself in the API. */
function optionsOf({ platform }: Control, { options = {} }: Input) {
  const { user, ...others } = Object(options) as Record<string, unknown>;
  return { ...others, ...(typeof user === 'string' && { user: platform.users.get(user) }) };
}

// These reach the API as they are: it checks them, also in calls without types, and it may learn more
// of them than a description here would name.
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
          description: 'Any status of an error, in place of failure.',
        },
        options: OPTIONS,
      },
      'endpoint',
    ),
    example: {
      endpoint: 'card.freeze',
      failure: 503,
      options: { times: 2, headers: { 'retry-after': '1' } },
    },
    run(control, input) {
      const { status, failure = { status, isUndocumented: true } } = input;
      const given = [textOf(input, 'endpoint'), failure, optionsOf(control, input)];
      control.platform.fail(...(given as FailArguments));
    },
  },
  drop: {
    summary: 'Breaks the connection of the next requests to an endpoint',
    input: fields(
      {
        endpoint: ENDPOINT,
        moment: {
          type: 'string',
          description:
            'before-processing, after-processing (default: the response is lost) or refused.',
        },
        options: OPTIONS,
      },
      'endpoint',
    ),
    example: { endpoint: 'wallets.credit.withdraw', moment: 'after-processing' },
    run(control, input) {
      const moment = textOf(input, 'moment') || 'after-processing';
      const given = [textOf(input, 'endpoint'), moment, optionsOf(control, input)];
      control.platform.drop(...(given as DropArguments));
    },
  },
  setLatency: {
    summary: 'Delays every response by milliseconds of real time',
    input: fields({ ms: { type: 'integer', minimum: 0, maximum: 600_000 } }, 'ms'),
    example: { ms: 250 },
    run: ({ platform }, { ms }) => platform.setLatency(Number(ms)),
  },
};
