import { DROP_MOMENTS } from '../../testing/faults.js';
import type { FaultTarget, MockPlatform } from '../../testing/index.js';
import { type ControlAction, textOf } from './control-action.js';
import { ENDPOINT, faultOptions, HEADERS, MOMENT } from './fault-schema.js';
import { requireHeaders } from './require-headers.js';
import { fields } from './schema.js';

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
