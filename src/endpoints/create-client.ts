import type { ClientJournal } from '../journal/journal-types.js';
import type { AccessToken } from '../transport/credentials/credentials.js';
import { clientJournal, createSend, SEND, type Sender } from '../transport/send.js';
import type { ClientOptions } from '../transport/settings/options.js';
import { resolveSettings, type Settings, settingsOfUser } from '../transport/settings/settings.js';

/** A client without endpoint methods, for `call`. Printing or serialising it shows no credential. */
export type EndpointClient = Sender & {
  /**
   * Returns a client for one user: lightweight, independent, and the only object that holds the
   * token.
   *
   * @throws ConfigurationError when there is no usable token
   */
  readonly withAccessToken: (accessToken: AccessToken) => EndpointClient;
  /** The requests whose outcome is not known. Needs the option `journal`. */
  readonly journal: ClientJournal;
};

function clientOf(settings: Settings): EndpointClient {
  const send = createSend(settings);
  return Object.freeze({
    [SEND]: send,
    journal: clientJournal(settings, send),
    withAccessToken: (accessToken: AccessToken) => clientOf(settingsOfUser(settings, accessToken)),
  });
}

/**
 * Creates a client without endpoint methods, for `call`: the same credentials, checks, safety and
 * errors as `CardPlatformClient`, in fewer bytes.
 *
 * @param options - the options of `CardPlatformClient`
 * @throws ConfigurationError that says which option cannot work
 * @example
 * ```ts
 * import { call, createClient, freezeCard, login } from 'card-platform-sdk/endpoints';
 *
 * const client = createClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 * });
 * const result = await call(client, login, { email: 'ada@example.com', password: 'a secret' });
 * if (result.phase) throw new Error(`Finish onboarding first: ${result.phase}`);
 * await call(client.withAccessToken(result.accessToken), freezeCard, {});
 * ```
 */
export function createClient(options: ClientOptions): EndpointClient {
  return clientOf(resolveSettings(options));
}
