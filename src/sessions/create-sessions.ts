import { ConfigurationError } from '../errors/index.js';
import type { AccessTokenProvider } from '../transport/credentials/credentials.js';
import { callHook } from '../transport/response/call-hook.js';
import { ownOptions, requireFunction, requireRegion } from '../transport/settings/check-options.js';
import { HeldTokens } from './held-tokens.js';
import { checkOptions } from './options.js';
import { readTokens, readUserId, sameUser } from './read-tokens.js';
import { type ActiveRecord, endedRecord, randomText, type SessionRecord } from './record.js';
import { SessionKeeper } from './session-keeper.js';
import type {
  Session,
  SessionSnapshot,
  SessionsOptions,
  SessionTokens,
  SignedOutTokens,
  SignInOptions,
} from './types.js';

/** The facts that a snapshot shows. */
type ViewState = {
  isRead: boolean;
  record: SessionRecord | undefined;
  /** Whether the token of the record is too old, and nothing can renew it. */
  isExpired: boolean;
};

/** The session as an application sees it: the same objects for as long as nothing changes. */
class SessionView {
  readonly #providerOf: (id: string) => AccessTokenProvider;
  #session: Session | undefined;
  #snapshot: SessionSnapshot = Object.freeze({ status: 'loading', session: undefined });

  constructor(providerOf: (id: string) => AccessTokenProvider) {
    this.#providerOf = providerOf;
  }

  /** Returns the session of a record. */
  sessionOf({ id, userId, region }: ActiveRecord): Session {
    const known = this.#session;
    if (known?.id === id && known.userId === userId) return known;
    // The same function, so that the calls of a session share its renewals.
    const accessToken = known?.id === id ? known.accessToken : this.#providerOf(id);
    const session = Object.freeze({ id, userId, region, accessToken });
    this.#session = session;
    return session;
  }

  /** Returns the snapshot: another object only if something in it has changed. */
  snapshot(state: ViewState): SessionSnapshot {
    const next = this.#describe(state);
    if (!isSame(next, this.#snapshot)) this.#snapshot = Object.freeze(next);
    return this.#snapshot;
  }

  #describe({ isRead, record, isExpired }: ViewState): SessionSnapshot {
    if (!isRead) return { status: 'loading', session: undefined };
    if (record !== undefined && record.ended === undefined && !isExpired) {
      const { expiresAt } = record;
      return { status: 'signed_in', session: this.sessionOf(record), expiresAt };
    }
    const reason = isExpired ? 'expired' : record?.ended;
    return { status: 'signed_out', session: undefined, reason };
  }
}

function isSame(one: SessionSnapshot, other: SessionSnapshot): boolean {
  const values = (snapshot: SessionSnapshot) => Object.values(snapshot);
  const others = values(other);
  return (
    one.status === other.status && values(one).every((value, index) => value === others[index])
  );
}

/** A client that can be given the access token of a user: `CardPlatformClient`. */
export type ClientWithTokens<Client> = {
  /** Returns a client like this one with the token of a user. */
  withAccessToken(accessToken: AccessTokenProvider): Client;
};

/** The session of an application: at most one user is signed in at a time. */
export type Sessions = {
  /**
   * Starts a session with the result of a login. It replaces the previous session, whose clients no
   * longer get a token. Token, expiry, region and user are written to the store at once.
   *
   * @throws SessionError with code `session_mismatch` when tokens and options contain different users:
   *   the previous session continues; or with `session_store_failed`: the store may contain the new
   *   session all the same, and `load` shows it
   * @throws ConfigurationError when the login ended in onboarding, a field is not valid, or the
   *   session is longer than `maxRecordBytes`
   */
  signIn(tokens: SessionTokens, options: SignInOptions): Promise<Session>;
  /**
   * Ends the session. Journal entries and delegation states stay, because they have their own keys.
   *
   * @param revoke - ends the tokens at the service. It runs after the session has ended here, and
   *   only if there was one; its error rejects the promise
   * @throws SessionError with code `session_store_failed`: the session may have ended all the same, and
   *   `load` shows it
   * @throws ConfigurationError when `revoke` is not a function
   */
  signOut(revoke?: (tokens: SignedOutTokens) => unknown): Promise<void>;
  /**
   * Reads the store again, for example when another tab has changed it or the app comes to the front.
   *
   * @throws SessionError with code `session_store_failed`; ConfigurationError when renewed tokens that
   *   could not be written before are longer than `maxRecordBytes`
   */
  load(): Promise<SessionSnapshot>;
  /**
   * Returns a client for whoever is signed in: create it once, and export it. Each call belongs to
   * the session that is signed in when the call begins, including every retry and renewal.
   *
   * Its calls reject with a `SessionError` of code `session_ended` while nobody is signed in. The same
   * happens to calls within a second after this program has learned that another tab or process has
   * signed in somebody else: they are not sent, because whoever began them still saw the earlier user.
   * Listeners are called, the snapshot shows the new user, and later calls are for that user.
   *
   * @param client - the client of your application, without an access token. A call to a region
   *   other than the session's rejects with `session_mismatch`
   * @throws ConfigurationError when `client` is not a client
   * @example
   * ```ts
   * import { CardPlatformClient } from 'card-platform-sdk';
   * import { createSessions } from 'card-platform-sdk/sessions';
   * import { indexedDbStore } from 'card-platform-sdk/stores';
   *
   * const client = new CardPlatformClient({
   *   baseUrl: 'https://api.example.com',
   *   clientKey: 'your-client-key',
   * });
   * export const sessions = createSessions({ store: indexedDbStore() });
   * export const user = sessions.clientOf(client);
   * ```
   */
  clientOf<Client>(client: ClientWithTokens<Client>): Client;
  /** Returns the state to show: the same object until something changes. It contains no token. */
  getSnapshot(): SessionSnapshot;
  /** Calls the listener after each change. Returns a function that removes it. */
  subscribe(listener: () => void): () => void;
};

/**
 * Keeps the session of a user across reloads and restarts, renews its token, and reports why it
 * ended. The store is read before every call, so a login or logout in another tab has an effect at
 * once.
 *
 * @throws ConfigurationError that says which option is wrong
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { createSessions } from 'card-platform-sdk/sessions';
 * import { indexedDbStore } from 'card-platform-sdk/stores';
 *
 * const client = new CardPlatformClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 * });
 * const sessions = createSessions({ store: indexedDbStore() });
 *
 * export async function logIn(email: string, password: string) {
 *   const login = await client.auth.login({ email, password });
 *   if (login.phase) throw new Error(`Finish onboarding first: ${login.phase}`);
 *   const session = await sessions.signIn(login, { region: 'global' });
 *   return client.withAccessToken(session.accessToken);
 * }
 * ```
 */
export function createSessions(options: SessionsOptions): Sessions {
  const settings = checkOptions(options);
  const { clock, renewBefore } = settings;
  const listeners = new Set<() => void>();
  let shown: SessionSnapshot | undefined;
  const keeper = new SessionKeeper(settings, announce);
  const view = new SessionView((id) => keeper.providerOf(id));
  const { records } = keeper;

  function getSnapshot(): SessionSnapshot {
    const { isRead, known: record } = records;
    const isExpired = keeper.active !== undefined && keeper.isOver(keeper.active);
    return view.snapshot({ isRead, record, isExpired });
  }

  function announce(): void {
    const before = shown;
    shown = getSnapshot();
    if (shown !== before) for (const listener of [...listeners]) callHook(listener);
  }

  async function load(): Promise<SessionSnapshot> {
    await keeper.read();
    return getSnapshot();
  }

  async function signIn(tokens: SessionTokens, given: SignInOptions): Promise<Session> {
    const { region, userId } = ownOptions<Partial<SignInOptions>>(Object(given), [
      'region',
      'userId',
    ]);
    const now = clock.now();
    const read = readTokens(tokens, now, renewBefore);
    const record: ActiveRecord = {
      v: 2,
      rev: randomText(),
      id: randomText(),
      ...read,
      region: requireRegion(region),
      userId: sameUser(readUserId(userId), read.userId),
    };
    await keeper.start(record);
    return view.sessionOf(record);
  }

  async function signOut(revoke?: (tokens: SignedOutTokens) => unknown): Promise<void> {
    requireFunction(revoke, 'revoke');
    let ended: ActiveRecord | undefined;
    await records.change((current) => {
      ended = current?.ended === undefined ? current : undefined;
      return ended && endedRecord(ended, 'signed_out');
    });
    if (ended !== undefined) await revoke?.(new HeldTokens(ended));
  }

  const following = keeper.followingProvider();

  function clientOf<Client>(client: ClientWithTokens<Client>): Client {
    if (typeof Object(client).withAccessToken !== 'function') {
      throw new ConfigurationError('client', 'client must be a CardPlatformClient.');
    }
    return client.withAccessToken(following);
  }

  // A synchronous store is read before this function returns.
  load().catch(() => {});
  return Object.freeze({
    signIn,
    signOut,
    clientOf,
    load,
    getSnapshot,
    subscribe: (listener: () => void) => {
      // One function may be registered twice.
      const own = () => listener();
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
  });
}
