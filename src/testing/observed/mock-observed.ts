import { readQuery } from '../query.js';
import type { Simulation } from '../simulation.js';
import type { MockUsers } from '../users.js';
import { endGrant, issueTokens, newGrant } from './grants.js';
import { creditReward, type MockReward } from './reward.js';
import {
  acceptSignIn,
  declineSignIn,
  readSignIn,
  SIGN_IN_PATH,
  type SignInRequest,
} from './sign-in.js';
import { type MockMessage, type MockObservedState, observedStateOf } from './state.js';

/** The tokens of an OAuth session, as the service returns them. */
export type MockTokens = {
  access_token: string;
  refresh_token: string;
  /** Lifetime of the access token, in seconds. */
  expires_in: number;
};

/** Controls of the observed calls: read the codes that were sent, and act as a user. */
export class MockObserved {
  readonly #simulation: Simulation;
  readonly #users: MockUsers;
  readonly #baseUrl: string;

  /** @internal */
  constructor(simulation: Simulation, users: MockUsers, baseUrl: string) {
    this.#simulation = simulation;
    this.#users = users;
    this.#baseUrl = baseUrl;
  }

  /** The state behind the observed calls. It is a part of `mock.state`. */
  get state(): MockObservedState {
    return observedStateOf(this.#simulation.state);
  }

  /** The e-mails and text messages that were sent, oldest first. */
  get messages(): readonly MockMessage[] {
    return this.state.messages;
  }

  /**
   * Returns the code of the newest message to an e-mail address or a phone number, or `undefined`
   * when it has expired or none was sent.
   *
   * @param to - an e-mail address, or a phone number such as `+15550100`
   * @example
   * ```ts
   * const { observed } = mock;
   * console.log(observed.codeFor('new@example.com'));
   * ```
   */
  codeFor(to: string): string | undefined {
    const newest = this.messages.findLast((one) => one.to === to);
    const { clock } = this.#simulation;
    return newest !== undefined && newest.expiresAt > clock.now() ? newest.code : undefined;
  }

  /**
   * Signs a user in on the hosted page of the second OAuth family, and agrees. Returns the URL to which
   * the page redirects, with `code`, `state` and `app_id`.
   *
   * @param url - the URL of the page: `/v1/auth/oauth2/authorize` with its query
   * @throws Error that says what is not valid in the URL, or for an unknown user
   *
   * @example
   * ```ts
   * declare const url: string;
   * const { observed } = mock;
   * const redirect = observed.signIn(url, ada);
   * console.log(new URL(redirect).searchParams.get('code'));
   * ```
   */
  signIn(url: string, { id }: { id: string }): string {
    return acceptSignIn(this.#store, this.#requestOf(url), this.#users.get(id));
  }

  /**
   * Declines on the hosted page. Returns the URL to which the page redirects, with an `error`.
   *
   * @throws Error that says what is not valid in the URL
   *
   * @example
   * ```ts
   * declare const url: string;
   * const { observed } = mock;
   * console.log(observed.declineSignIn(url));
   * ```
   */
  declineSignIn(url: string): string {
    return declineSignIn(this.#requestOf(url));
  }

  /**
   * Returns the tokens of a new OAuth session of a user, as an exchange would.
   *
   * @param family - `oauth2` for the one with the hosted page
   * @throws Error for an unknown user
   *
   * @example
   * ```ts
   * const { observed } = mock;
   * console.log(observed.issueTokens(ada).expires_in); // 21600
   * ```
   */
  issueTokens({ id }: { id: string }, family: 'oauth' | 'oauth2' = 'oauth'): MockTokens {
    const { id: userId, tenant, environment } = this.#users.get(id);
    const scope = family === 'oauth' ? '' : 'openid profile email offline_access';
    const grant = newGrant(this.#store, { family, tenant, environment, userId, scope });
    const { tokens } = issueTokens(this.#store, grant);
    return { ...tokens, refresh_token: grant.refreshToken ?? '' };
  }

  /**
   * Ends every OAuth session of a user, as a revocation elsewhere does.
   *
   * @throws Error for an unknown user
   *
   * @example
   * ```ts
   * const { observed } = mock;
   * observed.endSessions(ada);
   * ```
   */
  endSessions({ id }: { id: string }): void {
    const { id: userId } = this.#users.get(id);
    for (const grant of this.state.grants) {
      if (grant.userId === userId) endGrant(this.#simulation.state, grant);
    }
  }

  /**
   * Credits a reward to a user. The first one opens the reward wallet.
   *
   * @throws TypeError for an unknown option or an amount that is not above zero, Error for an
   * unknown user
   *
   * @example
   * ```ts
   * const { observed } = mock;
   * observed.creditReward(ada, { amount: '2.50' });
   * ```
   */
  creditReward({ id }: { id: string }, reward: MockReward): void {
    creditReward(this.#store, this.#users.get(id), reward);
  }

  get #store() {
    const { state, clock, ids } = this.#simulation;
    return { state, clock, ids, observed: this.state };
  }

  #requestOf(url: string): SignInRequest {
    const start = `${this.#baseUrl}${SIGN_IN_PATH}?`;
    if (!url.startsWith(start)) throw new Error(`the URL must begin with ${start}`);
    const query = readQuery(url.slice(start.length).replace(/#.*/s, ''));
    return readSignIn(query, this.#simulation.state);
  }
}
