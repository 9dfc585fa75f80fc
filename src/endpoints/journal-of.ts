import { Journal } from '../journal/journal.js';
import { type Sender, sendOf } from '../transport/sender.js';

/**
 * Returns the journal of a client that `createClient` made. A `CardPlatformClient` has it as
 * `client.journal`.
 *
 * @param client - from `createClient`, with the option `journal`
 * @throws ConfigurationError when `client` is not a client
 * @example
 * ```ts
 * import { createClient, journalOf } from 'card-platform-sdk/endpoints';
 * import { memoryStore } from 'card-platform-sdk/stores';
 *
 * const client = createClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 *   accessToken: 'the token of a session',
 *   journal: memoryStore(),
 * });
 * console.log(await journalOf(client).pending());
 * ```
 */
export function journalOf(client: Sender): Journal {
  return new Journal(sendOf(client));
}
