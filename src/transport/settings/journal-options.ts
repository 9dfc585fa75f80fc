import type { Endpoint } from '../../contract/endpoint.js';
import { isObject } from '../../contract/formats/is-object.js';
import type { Outcome } from '../../errors/index.js';
import type { Region } from '../request/wire-request.js';
import { type KeyValueStore, requireStore } from './key-value-store.js';
import { ownOptions } from './own-options.js';

/** Options of the journal. A store alone stands for `{ store }`. */
export type JournalOptions = {
  /** The store of the entries. Tabs and processes may share it. */
  store: KeyValueStore;
  /**
   * Id of the user whose access token the client sends, such as `userId` of a login: never a
   * secret, because each entry stores it. A function is called before each recorded request.
   * Default: the user whose login through this client the journal has recorded. An entry whose user
   * is not known can be reconciled only with the same access token that its request had: never with
   * `throughProxy`, where there is none.
   */
  user?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /**
   * How to handle a request whose entry cannot be written. `refuse`: the call fails with the
   * outcome `not_sent`. `send`: the request leaves without an entry. Default `refuse`.
   */
  onStoreFailure?: 'refuse' | 'send' | undefined;
  /**
   * Endpoints of your own whose requests `reconcile` looks up: those that declare `reconcile` in
   * `defineEndpoint`. Default: none, and their entries stay `undecided`.
   */
  endpoints?: readonly Endpoint[] | undefined;
};

/** A request that is about to leave. */
export type RecordedRequest = {
  readonly endpoint: Endpoint;
  /** The checked input of the call. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly region: Region;
  readonly accessToken: string | undefined;
  /** The limit of the call, in milliseconds: until then the request may leave. */
  readonly totalTimeout: number;
  /** Whether a text contains a credential or a secret input of the call. */
  hasSecret(text: string): boolean;
};

/** The journal as the transport sees it. */
export type Recorder = {
  /** Writes an entry. Resolves to a function that records the outcome. */
  record(request: RecordedRequest): Promise<(outcome: Outcome, result?: unknown) => Promise<void>>;
};

// A record, so that the compiler asks for each option.
const OPTIONS: Readonly<Record<keyof JournalOptions, true>> = {
  store: true,
  user: true,
  onStoreFailure: true,
  endpoints: true,
};

/**
 * Checks the option `journal`.
 *
 * @throws ConfigurationError
 */
export function requireJournal(
  given: KeyValueStore | JournalOptions | undefined,
): JournalOptions | undefined {
  if (given === undefined) return undefined;
  const options =
    isObject(given) && 'store' in given
      ? ownOptions<JournalOptions>(given, Object.keys(OPTIONS), 'journal.')
      : { store: given as KeyValueStore };
  requireStore(options.store, 'journal.store');
  return options;
}
