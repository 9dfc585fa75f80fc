import type { Send } from './send.js';

/** Where a client keeps what sends its calls, for whoever is handed the client. */
// Of the registry, so that a client of the CommonJS copy is one to the ESM copy too.
export const SEND: unique symbol = Symbol.for('card-platform-sdk.send');

/** Any client: what sends calls to endpoints. */
export type Sender = { readonly [SEND]: Send };
