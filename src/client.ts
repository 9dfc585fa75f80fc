import { ENDPOINTS } from './contract/endpoints.js';
import type { ClientJournal } from './journal/journal-types.js';
import { AuthResource } from './resources/auth.js';
import { CardResource } from './resources/card.js';
import { ConsentResource } from './resources/consent.js';
import { DelegationResource } from './resources/delegation.js';
import { OrdersResource } from './resources/orders.js';
import { ReferralResource } from './resources/referral.js';
import { UserResource } from './resources/user.js';
import { WalletsResource } from './resources/wallets.js';
import { WebhooksResource } from './resources/webhooks.js';
import type { AccessToken } from './transport/credentials/credentials.js';
import type { Method, RawRequest } from './transport/declare/raw-request.js';
import type { PlatformPromise } from './transport/response/platform-promise.js';
import {
  clientJournal,
  createSend,
  SEND,
  type Send,
  sendRaw,
  settingsOf,
} from './transport/send.js';
import type { ClientOptions } from './transport/settings/options.js';
import { resolveSettings, type Settings, settingsOfUser } from './transport/settings/settings.js';

/** Adds the resources to a client: a new one, or the one that `withAccessToken` returns. */
function addResources(client: CardPlatformClient, settings: Settings): CardPlatformClient {
  const send = createSend(settings);
  const { clock } = settings.attempts;
  // Not enumerable, so that nothing prints it.
  Object.defineProperty(client, SEND, { value: send });
  Object.assign(client, {
    auth: new AuthResource(send, clock),
    card: new CardResource(send, clock),
    delegation: new DelegationResource(send, clock),
    wallets: new WalletsResource(send, clock),
    orders: new OrdersResource(send, clock),
    consent: new ConsentResource(send, clock),
    webhooks: new WebhooksResource(send, clock),
    user: new UserResource(send, clock),
    referral: new ReferralResource(send, clock),
    journal: clientJournal(settings, send),
  } satisfies Omit<CardPlatformClient, 'withAccessToken' | 'request' | typeof SEND>);
  return Object.freeze(client);
}

/**
 * The client of the card-and-wallet platform. Immutable: `withAccessToken` returns another client
 * for a user, and a login does not change the client. It reads no environment variable and uses
 * only the options that you pass. Nothing that prints or serialises it shows a credential.
 *
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 *
 * const client = new CardPlatformClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 * });
 * const login = await client.auth.login({ email: 'ada@example.com', password: 'a secret' });
 * if (login.phase) throw new Error(`Finish onboarding first: ${login.phase}`);
 * const userClient = client.withAccessToken(login.accessToken);
 * console.log((await userClient.card.status()).status);
 * ```
 */
export class CardPlatformClient {
  /** Login and one-time passwords. */
  declare readonly auth: AuthResource;
  /** The user's card. */
  declare readonly card: CardResource;
  /** Delegation of spending authority from the user's own wallet: the HTTP side. */
  declare readonly delegation: DelegationResource;
  /** Custodial, credit and external wallets, and their history. */
  declare readonly wallets: WalletsResource;
  /** Orders that are paid in crypto. */
  declare readonly orders: OrdersResource;
  /** Onboarding consent. Server-side only. */
  declare readonly consent: ConsentResource;
  /** Webhooks: the URLs to which the service delivers events. */
  declare readonly webhooks: WebhooksResource;
  /** The user and the verification of the user's identity. */
  declare readonly user: UserResource;
  /** Referral codes. */
  declare readonly referral: ReferralResource;
  /** The requests whose outcome is not known. Needs the option `journal`. */
  declare readonly journal: ClientJournal;
  /**
   * Sends the calls of the resources, and of `call` from `card-platform-sdk/endpoints`.
   *
   * @internal
   */
  declare readonly [SEND]: Send;

  /**
   * @param options - the address of the service, and the credentials
   * @throws ConfigurationError that says which option cannot work
   */
  constructor(options: ClientOptions) {
    addResources(this, resolveSettings(options));
  }

  /**
   * Returns a client for one user: lightweight, independent, and the only object that holds the
   * token. It shares the retry budget of this client.
   *
   * @param accessToken - the bearer token, or a function that returns it. After a 401 the function
   *   is called once more, and the call is sent again once. If a renewal of this token failed within the
   *   last minute, the call rejects with its error instead, or with one whose `cause` it is
   * @throws ConfigurationError when there is no usable token: it is absent, blank, `"null"` or
   *   `"undefined"`, or a header cannot carry it. A session with `phase` set may have none: check
   *   `phase` first, as the types require. Also with `throughProxy`, because the page's session
   *   decides the user
   * @example
   * ```ts
   * const userClient = client.withAccessToken(async ({ reason }) => {
   *   return reason === 'rejected' ? await logInAgain() : await readSession();
   * });
   *
   * declare function logInAgain(): Promise<string>;
   * declare function readSession(): Promise<string>;
   * ```
   */
  withAccessToken(accessToken: AccessToken): CardPlatformClient {
    const settings = settingsOfUser(settingsOf(this), accessToken);
    const client: CardPlatformClient = Object.create(CardPlatformClient.prototype);
    return addResources(client, settings);
  }

  /**
   * Sends a request to an endpoint that has no method here, with the same credentials, safety and
   * errors. The path is a template: never an absolute URL.
   *
   * A request to the path of an endpoint that has a method follows the retry policy of that method.
   * A `retryClass` that would retry more is refused, and the error says which method it is.
   *
   * @throws ConfigurationError for a path or an option that cannot work, RequestValidationError for
   *   an input that cannot be sent, and the errors that any call may have
   * @example
   * ```ts
   * const thing = await userClient.request('GET', '/v1/things/{id}', {
   *   params: { id: 'thing_1' },
   *   query: { verbose: true },
   *   retryClass: 'safe',
   * });
   * const pdf = await userClient.request('GET', '/v1/things/{id}/pdf', {
   *   params: { id: 'thing_1' },
   *   retryClass: 'safe',
   *   response: 'bytes',
   * });
   * console.log(thing, pdf.byteLength);
   * ```
   */
  request(
    method: Method,
    path: string,
    request: RawRequest<never> & { response: 'bytes'; schema?: undefined },
  ): PlatformPromise<Uint8Array>;
  request(
    method: Method,
    path: string,
    request: RawRequest<never> & { response: 'text'; schema?: undefined },
  ): PlatformPromise<string>;
  request<Output = unknown>(
    method: Method,
    path: string,
    request?: RawRequest<Output>,
  ): PlatformPromise<Output>;
  request<Output>(
    method: Method,
    path: string,
    request: RawRequest<Output> = {},
  ): PlatformPromise<Output> {
    return sendRaw(settingsOf(this), ENDPOINTS, method, path, request);
  }
}
