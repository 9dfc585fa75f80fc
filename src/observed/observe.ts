import { observedEndpoints } from '../contract/observed/endpoints.js';
import { ConfigurationError, type Sender } from '../endpoints/index.js';
import type { ObservedOverrides } from './calls.js';
import { ObservedAuthCalls } from './namespaces/auth.js';
import { ObservedCardCalls } from './namespaces/card.js';
import { ObservedConsentCalls } from './namespaces/consent.js';
import { RegistrationCalls } from './namespaces/registration.js';
import { ObservedWalletsCalls } from './namespaces/wallets.js';
import { WebhookEventsCalls } from './namespaces/webhook-events.js';

/** The observed calls of a client, by namespace. */
export type ObservedPlatform = {
  /** OAuth sessions, logout and forgotten passwords. */
  readonly auth: ObservedAuthCalls;
  readonly user: {
    /** Registration of a new user. */
    readonly registration: RegistrationCalls;
  };
  /** Lookups of consents. */
  readonly consent: ObservedConsentCalls;
  /** The order in which wallets pay, and the reward wallet. */
  readonly wallets: ObservedWalletsCalls;
  /** Cashback, statements, and the phone's wallet. */
  readonly card: ObservedCardCalls;
  readonly webhooks: {
    /** The events that the service sends. */
    readonly events: WebhookEventsCalls;
  };
};

/** Options of {@link observe}. */
export type ObserveOptions = {
  /** Endpoints of `override` in place of the observed ones, by id. */
  endpoints?: ObservedOverrides | undefined;
};

function requireOverrides(given: unknown): ObservedOverrides {
  if (typeof given !== 'object' || given === null) {
    throw new ConfigurationError('endpoints', 'endpoints must be an object.');
  }
  for (const [id, endpoint] of Object.entries(given)) {
    if (!Object.hasOwn(observedEndpoints, id)) {
      throw new ConfigurationError(
        'endpoints',
        'endpoints: every key must be the id of an observed endpoint.',
      );
    }
    if (endpoint === undefined || Object(endpoint).id === id) continue;
    throw new ConfigurationError(
      'endpoints',
      `endpoints: ${id} must be an override of the endpoint with this id.`,
    );
  }
  return { ...given };
}

/**
 * Returns the calls that deployed clients of the service make although its contract does not
 * document them. They were seen, but nobody promises them: each method lists the sources and their
 * certainty. The client itself depends on none of them.
 *
 * @experimental
 * @param client - a `CardPlatformClient`, or a client of `createClient`
 * @throws ConfigurationError when an option is not valid, such as an override of another endpoint. Every
 *   method refuses a `client` that is not a client
 * @example
 * ```ts
 * import { observe } from 'card-platform-sdk/observed';
 *
 * const { wallets, card } = observe(userClient);
 * const reward = await wallets.reward.get();
 * const { amount } = await card.cashback();
 * ```
 */
export function observe(client: Sender, options: ObserveOptions = {}): ObservedPlatform {
  const { endpoints, ...unknown } = Object(options) as ObserveOptions;
  if (Object.keys(unknown).length > 0) {
    throw new ConfigurationError('options', 'options must have no field but endpoints.');
  }
  const overrides = requireOverrides(endpoints ?? {});
  return {
    auth: new ObservedAuthCalls(client, overrides),
    user: { registration: new RegistrationCalls(client, overrides) },
    consent: new ObservedConsentCalls(client, overrides),
    wallets: new ObservedWalletsCalls(client, overrides),
    card: new ObservedCardCalls(client, overrides),
    webhooks: { events: new WebhookEventsCalls(client, overrides) },
  };
}
