import type { Endpoint } from '../../contract/endpoint.js';
import { ConfigurationError, type Outcome } from '../../errors/index.js';
import type { ClientJournal } from '../../journal/journal-types.js';
import type { Clock } from '../attempts/clock.js';
import type { AccessToken, TokenSource } from '../credentials/credentials.js';
import type { Region } from '../request/wire-request.js';
import type { ResponseHeaders } from '../response/http-response.js';

/** A request that is about to leave. */
export type RecordedRequest = {
  readonly endpoint: Endpoint;
  /** The checked input of the call. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly region: Region;
  /** The user whom the journal's option named before the token of the call was chosen. */
  readonly user: string | undefined;
  readonly accessToken: string | undefined;
  /** The time limit of the call, in milliseconds. The request may leave until then. */
  readonly totalTimeout: number;
  /** Whether a text contains a credential or a secret input of the call. */
  hasSecret(text: string): boolean;
};

/**
 * Records the outcome of a request.
 *
 * @param headers - of the response that was read
 */
export type SettleEntry = (
  outcome: Outcome,
  result?: unknown,
  headers?: Pick<ResponseHeaders, 'get'>,
) => Promise<void>;

/** The journal as the transport sees it. */
export type Recorder = {
  /** Returns the user whom the journal's option names for a request of a user. */
  namedUser(endpoint: Endpoint): string | undefined | Promise<string | undefined>;
  /**
   * Refuses a token that was chosen since the option named this user: it may be of another one.
   *
   * @param tokens - the first token of the call, and the one that has replaced it
   * @throws SessionError when the option names somebody else now, or if it names nobody, and the logins show
   * that the tokens are of different users
   */
  requireStill(
    endpoint: Endpoint,
    user: string | undefined,
    tokens?: readonly (string | undefined)[],
  ): Promise<void>;
  /** Writes an entry, after `requireStill`. Resolves to a function that records the outcome. */
  record(request: RecordedRequest): Promise<SettleEntry>;
};

/** The option of a read of a journal behind a proxy: the user whose data it is to be. */
export const OF_USER: unique symbol = Symbol.for('card-platform-sdk.of-user');

/** The options of the reads of a journal. */
type LookupOptions = {
  [OF_USER]?: string | undefined;
  region: Region;
  signal: AbortSignal | undefined;
  accessToken?: AccessToken;
};

/** The parts of a client with which its journal looks up requests. */
export type LookupClient = {
  readonly send: (
    endpoint: Endpoint,
    input: unknown,
    options: LookupOptions,
  ) => { withResponse(): Promise<{ data: unknown; headers: Headers }> };
  readonly clock: Clock;
  readonly tokens: TokenSource | undefined;
  /** Whether a proxy adds the access token. */
  readonly isProxied: boolean;
};

/** The property of a journal that the transport uses. */
// From the global registry, so that the ESM copy accepts a journal of the CommonJS copy.
export const JOURNAL: unique symbol = Symbol.for('card-platform-sdk.journal');

/**
 * A journal of the requests whose outcome is not known: `createJournal` of
 * `card-platform-sdk/journal` returns one, for the option `journal` of a client. Several clients may
 * share it. `client.journal` lists and looks up its entries.
 */
export type Journal = {
  /** @internal */
  readonly [JOURNAL]: {
    /** Whether a request leaves without an entry when the store fails. */
    readonly sendsWithoutEntry: boolean;
    recorder(clock: Clock, isProxied: boolean): Recorder;
    /** Learns the service's time from a response that was read. */
    sees(headers: Pick<ResponseHeaders, 'get'>, isProxied: boolean): void;
    /** What a store did wrong, without its own words: they may contain a token. */
    faultOf(error: unknown): string | undefined;
    of(client: LookupClient): ClientJournal;
  };
};

/**
 * Checks the option `journal`.
 *
 * @throws ConfigurationError
 */
export function requireJournal(given: unknown): Journal | undefined {
  if (given === undefined || Object(given)[JOURNAL] !== undefined) {
    return given as Journal | undefined;
  }
  throw new ConfigurationError(
    'journal',
    'journal must come from createJournal() of card-platform-sdk/journal.',
  );
}

const refuse = async (): Promise<never> => {
  throw new ConfigurationError(
    'journal',
    'the client has no journal. Pass it the option journal: createJournal({ store }).',
  );
};

/** The journal of a client; without the option `journal`, one whose methods are refused. */
export function journalOfClient(journal: Journal | undefined, client: LookupClient): ClientJournal {
  return (
    journal?.[JOURNAL].of(client) ?? {
      pending: refuse,
      reconcile: refuse,
      recover: refuse,
      remove: refuse,
    }
  );
}
