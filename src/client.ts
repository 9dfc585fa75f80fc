import { AuthResource } from './resources/auth.js';
import { CardResource } from './resources/card.js';
import { ConsentResource } from './resources/consent.js';
import { DelegationResource } from './resources/delegation.js';
import { OrdersResource } from './resources/orders.js';
import { ReferralResource } from './resources/referral.js';
import { UserResource } from './resources/user.js';
import { WalletsResource } from './resources/wallets.js';
import { WebhooksResource } from './resources/webhooks.js';
import type { ClientOptions } from './transport/options.js';
import type { PlatformPromise } from './transport/platform-promise.js';
import type { Method, RawRequest } from './transport/raw-request.js';
import { createSend, type Send, sendRaw } from './transport/send.js';
import { SEND } from './transport/sender.js';
import {
  type Environment,
  resolveEnvironment,
  resolveSettings,
  type Settings,
} from './transport/settings.js';
import type { AccessToken } from './transport/token-source.js';
import { settingsOfUser } from './transport/user-settings.js';

/** Marks the settings that `withAccessToken` hands on, which no caller can make. */
class Inherited {
  constructor(readonly settings: Settings) {}
}

/**
 * The client of the card-and-wallet platform. Immutable: `withAccessToken` gives another client for
 * a user, and a login changes nothing. It reads no environment variable; what it uses is what it
 * was given. Nothing that prints or serialises it shows a credential.
 *
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 *
 * const platform = new CardPlatformClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 * });
 * const session = await platform.auth.login({ email: 'ada@example.com', password: 'a secret' });
 * const user = platform.withAccessToken(session.accessToken);
 * console.log((await user.card.status()).status);
 * ```
 */
export class CardPlatformClient {
  /** Login and one-time passwords. */
  readonly auth: AuthResource;
  /** The user's card. */
  readonly card: CardResource;
  /** Delegation of spending authority from the user's own wallet: the HTTP side. */
  readonly delegation: DelegationResource;
  /** Custodial, credit and external wallets, and their history. */
  readonly wallets: WalletsResource;
  /** Orders that are paid in crypto. */
  readonly orders: OrdersResource;
  /** Onboarding consent. Server-side only. */
  readonly consent: ConsentResource;
  /** Where the platform delivers events to. */
  readonly webhooks: WebhooksResource;
  /** The user and the verification of the user's identity. */
  readonly user: UserResource;
  /** Referral codes. */
  readonly referral: ReferralResource;
  readonly #settings: Settings;
  readonly #send: Send;

  /**
   * @param options - where the service is, and the credentials
   * @param environment - clock, randomness and runtime, for tests
   * @throws ConfigurationError that names the option that cannot work
   */
  constructor(options: ClientOptions, environment?: Partial<Environment>) {
    const given: unknown = options;
    this.#settings =
      given instanceof Inherited
        ? given.settings
        : resolveSettings(options, resolveEnvironment(environment));
    const { clock } = this.#settings.environment;
    const send = createSend(this.#settings);
    this.#send = send;
    this.auth = new AuthResource(send);
    this.card = new CardResource(send, clock);
    this.delegation = new DelegationResource(send);
    this.wallets = new WalletsResource(send);
    this.orders = new OrdersResource(send, clock);
    this.consent = new ConsentResource(send);
    this.webhooks = new WebhooksResource(send);
    this.user = new UserResource(send, clock);
    this.referral = new ReferralResource(send);
    Object.freeze(this);
  }

  /**
   * What `call` of `card-platform-sdk/endpoints` sends with.
   *
   * @internal
   */
  get [SEND](): Send {
    return this.#send;
  }

  /**
   * A client for one user: cheap, independent, and the only thing that holds the token. It shares
   * the retry budget of this client.
   *
   * @param accessToken - the bearer token, or a function that gives it. A function is asked again
   *   once after a 401, and the call is then replayed once
   * @throws ConfigurationError when there is no token: the login of a user who has not finished
   *   onboarding (`phase` is set) may give none
   * @example
   * ```ts
   * const user = platform.withAccessToken(async ({ reason }) => {
   *   return reason === 'rejected' ? await logInAgain() : await readSession();
   * });
   *
   * declare function logInAgain(): Promise<string>;
   * declare function readSession(): Promise<string>;
   * ```
   */
  withAccessToken(accessToken: AccessToken | null | undefined): CardPlatformClient {
    const inherited: unknown = new Inherited(settingsOfUser(this.#settings, accessToken));
    return new CardPlatformClient(inherited as ClientOptions);
  }

  /**
   * Sends a request to an endpoint that has no method here, with the same credentials, safety and
   * errors. The path is a template: never an absolute URL.
   *
   * @throws ConfigurationError, RequestValidationError and whatever the service answers
   * @example
   * ```ts
   * const thing = await user.request('GET', '/v1/things/{id}', {
   *   params: { id: 'thing_1' },
   *   query: { verbose: true },
   *   repeat: 'read',
   * });
   * ```
   */
  request<Output = unknown>(
    method: Method,
    path: string,
    request: RawRequest<Output> = {},
  ): PlatformPromise<Output> {
    return sendRaw(this.#settings, method, path, request);
  }
}
