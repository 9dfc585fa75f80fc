import { ConfigurationError } from '../errors/index.js';
import { Journal } from '../journal/journal.js';
import { SEND, type Sender } from '../transport/sender.js';

/**
 * Returns the journal of a client: `client.journal` of `CardPlatformClient`, for `createClient`.
 *
 * @param client - from `createClient`, with the option `journal`
 * @throws ConfigurationError when `client` is not a client
 * @example
 * ```ts
 * import { createClient, journalOf } from 'card-platform-sdk/endpoints';
 *
 * const client = createClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 *   accessToken: 'token-of-a-session',
 *   journal: new Map<string, string>(),
 * });
 * console.log(await journalOf(client).pending());
 * ```
 */
export function journalOf(client: Sender): Journal {
  // For callers without types: only a client has this property.
  const send: Sender[typeof SEND] | undefined = Object(client)[SEND];
  if (send !== undefined) return new Journal(send);
  throw new ConfigurationError('client', 'client must come from createClient().');
}
