import type { Send } from './send.js';

/** The property of a client that holds its `Send` function. */
// From the global registry, so that the ESM copy accepts a client of the CommonJS copy.
export const SEND: unique symbol = Symbol.for('card-platform-sdk.send');

/** Any client: an object that sends calls to endpoints. */
export type Sender = { readonly [SEND]: Send };
