import { ConfigurationError } from '../errors/index.js';
import { CREDENTIALS } from './credentials/credentials.js';
import type { Send } from './send.js';

/** The property of a client that holds its `Send` function. */
// From the global registry, so that the ESM copy accepts a client of the CommonJS copy.
export const SEND: unique symbol = Symbol.for('card-platform-sdk.send');

/** The credentials of a client, which no response to somebody else may contain. */
export function credentialsOf(client: Sender): readonly string[] {
  return client[SEND][CREDENTIALS]?.() ?? [];
}

/** Any client: an object that sends calls to endpoints. */
export type Sender = { readonly [SEND]: Send };

/**
 * Returns the function that sends the calls of a client.
 *
 * @throws ConfigurationError when it is not a client
 */
export function sendOf(client: Sender): Send {
  // For callers without types: only a client has this property.
  const send: Send | undefined = Object(client)[SEND];
  if (send !== undefined) return send;
  throw new ConfigurationError(
    'client',
    'client must be a CardPlatformClient, or come from createClient().',
  );
}
