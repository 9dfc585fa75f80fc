import { FAULT_MOMENTS } from '../../testing/faults.js';
import { USER } from './control-action.js';
import { fields, type ObjectSchema, type Schema } from './schema.js';

/** The requests that a fault concerns. */
export const ENDPOINT: Schema = {
  type: 'string',
  description:
    'Id of an endpoint, such as card.freeze; that of a route from serve, such as GET /v1/limits/{id}; * for all.',
};

/** HTTP headers by name. */
export const HEADERS: Schema = { type: 'object', additionalProperties: { type: 'string' } };

/** Whether a request fails or is held before the platform has processed it or after. */
export const MOMENT: Schema = {
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
export const faultOptions = (others: Readonly<Record<string, Schema>> = {}): ObjectSchema =>
  fields({ ...SCOPE, ...others });
