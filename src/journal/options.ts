import type { Endpoint } from '../contract/endpoint.js';
import { ConfigurationError } from '../errors/index.js';
import { type KeyValueStore, requireStore } from '../stores/key-value-store.js';
import { ownOptions, requireOneOf } from '../transport/settings/check-options.js';

/** Options of `createJournal`. */
export type JournalOptions = {
  /** The store of the entries. Tabs and processes may share it. */
  store: KeyValueStore;
  /**
   * Id of the user whose access token the client sends, such as `userId` of a login: at most 100
   * characters, and never a secret, because each entry stores it. A function is called for each recorded request of a
   * user, before its token is chosen and after that, once more after a renewal, and before and after the token of
   * each lookup; behind a proxy once for every other call that is no read. A request for which it then returns another user is
   * refused (`session_mismatch`), and nothing is sent. Default: the user whose login returned the
   * token, if a client with the same store sent that login. An entry whose user is not known can be
   * reconciled only with the access token of its request. With `throughProxy` there is no token:
   * until the user is known, a recorded request is refused, and nothing is sent.
   */
  user?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /**
   * Whether all requests of each user that may take from a wallet, or change what the journal looks
   * up, go through this store: none from another device, another client or another program, and no
   * delegation flow for a wallet whose proofs you submit yourself. Reads
   * cannot show whether another device has done something. Without this option an executed
   * request is therefore `undecided`, and a request that changes a state, such as linking a wallet,
   * is never decided. It cannot be combined with `onStoreFailure: 'send'`. Default `false`.
   */
  hasAllRequests?: boolean | undefined;
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

// A record, so that the compiler asks for each option.
const OPTIONS: Readonly<Record<keyof JournalOptions, true>> = {
  store: true,
  user: true,
  hasAllRequests: true,
  onStoreFailure: true,
  endpoints: true,
};

/** Characters of a user's id, at most: an entry must fit into any store. */
export const LONGEST_USER = 100;

/**
 * Refuses the id of a user that is too long for an entry.
 *
 * @throws ConfigurationError
 */
export function requireUser(user: string): string {
  if (user.length <= LONGEST_USER) return user;
  throw new ConfigurationError(
    'journal.user',
    `journal.user must not be longer than ${LONGEST_USER} characters.`,
  );
}

/**
 * Checks the options of a journal.
 *
 * @throws ConfigurationError
 */
export function requireJournalOptions(given: JournalOptions): JournalOptions {
  const options = ownOptions<JournalOptions>(given, Object.keys(OPTIONS), 'journal.');
  requireStore(options.store, 'journal.store');
  const { hasAllRequests = false, onStoreFailure = 'refuse', user } = options;
  if (typeof user === 'string') requireUser(user);
  else if (user !== undefined && typeof user !== 'function') {
    throw new ConfigurationError(
      'journal.user',
      'journal.user must be a string, or a function that returns one.',
    );
  }
  requireOneOf(onStoreFailure, 'journal.onStoreFailure', ['refuse', 'send']);
  if (typeof hasAllRequests !== 'boolean') {
    throw new ConfigurationError(
      'journal.hasAllRequests',
      'journal.hasAllRequests must be true or false.',
    );
  }
  if (hasAllRequests && onStoreFailure === 'send') {
    throw new ConfigurationError(
      'journal.hasAllRequests',
      "journal.hasAllRequests does not go with onStoreFailure: 'send', which sends requests without an entry.",
    );
  }
  return options;
}
