import { CardPlatformClient } from '../client.js';
import { hostOf } from '../transport/adapters/runtime.js';
import type { ClientOptions } from '../transport/settings/options.js';
import type { PlatformClock } from './platform-clock.js';
import type { MockCredentials } from './state.js';

// The only file of the kit that knows the client. It creates one, and shares nothing with it.

export type { CardPlatformClient };

/** Options of `mock.clientFor`: the options of a client, all optional. */
export type MockClientOptions = Partial<ClientOptions>;

/** Creates a client of a user of a mock platform. */
export function createClientFor(
  platform: {
    baseUrl: string;
    fetch: NonNullable<ClientOptions['fetch']>;
    clock: PlatformClock;
    credentials: MockCredentials;
  },
  user: { accessToken: string; isUs: boolean },
  options: MockClientOptions,
): CardPlatformClient {
  const { baseUrl, fetch, clock, credentials } = platform;
  const { clientKey, clientId, secretKey } = credentials;
  return new CardPlatformClient({
    ...{ baseUrl, fetch, clock, clientKey, clientId },
    // A client refuses it in a browser.
    ...(hostOf() === 'server' && { secretKey }),
    accessToken: user.accessToken,
    ...(user.isUs && { region: 'us' as const }),
    ...options,
  });
}
