import type { Endpoint } from '../contract/endpoint.js';
import type { WalletHistoryInput } from '../contract/wallet-history.js';
import type { JournalEntry } from './journal-types.js';

/** The tools of a `look`. Every read has the request's region and the client's current token. */
export type LookTools<Detail extends string = string> = {
  /** The fields of the request that the entry holds, as text. An absent field is `''`. */
  readonly details: Readonly<Record<Detail, string>>;
  readonly entry: JournalEntry;
  /**
   * Calls an endpoint that only reads. Returns `undefined` after a 404, which a proxy may also have
   * sent.
   *
   * @throws the errors of the call; ConfigurationError for an endpoint that may change something
   */
  read<Input, Output>(
    endpoint: Endpoint<Input, Output, 'safe'>,
    input: Input,
  ): Promise<Output | undefined>;
  /** Adds objects that a read returned to the evidence, with these fields only and no secrets. */
  show<Row extends object>(
    source: Endpoint<unknown, unknown, 'safe'>,
    rows: readonly Row[],
    fields: readonly (keyof Row & string)[],
  ): void;
  /**
   * Whether an effect of this time cannot be of the request: a list that is sorted by time needs no
   * further page. Where no earlier time of the service is known, no effect is too old.
   */
  isTooOld(time: string | number | null | undefined): boolean;
  /**
   * Reads the debits of a wallet from its history (`GET /v1/wallet/history`), and adds those that
   * may be later than the request to the evidence. Returns `undefined` if the history cannot be read
   * to its end.
   *
   * A debit matches a request whose detail `amount` (decimal string) is equal, and may match any
   * other, because it may include a fee. Not public: the journal counts the requests of one
   * operation, so this is only for a wallet that no other operation takes from.
   *
   * @internal
   * @throws the errors of the call
   */
  readDebits(wallet: WalletHistoryInput): Promise<readonly SeenEffect<'amount'>[] | undefined>;
};

/** An effect that the service shows, of this request or of another one. */
export type SeenEffect<Detail extends string = string> = {
  /**
   * When it happened: ISO 8601, or milliseconds since 1970. An effect without a time may have
   * happened at any time.
   */
  readonly time: string | number | null | undefined;
  /**
   * Returns whether a request with these details has this effect; `'maybe'` if it could, for
   * example with a fee. Called for similar requests of the journal, too.
   */
  matches(details: Readonly<Record<Detail, string>>): boolean | 'maybe';
};

/**
 * The result of a `look`.
 *
 * `effects`: every effect of this kind since the request, for example the debits of a wallet.
 * The journal counts them, and compares them with all similar requests that it knows.
 *
 * `isDone`: whether the state that the request causes exists; `undefined` if the reads do not show
 * it. It counts only if no similar request explains it.
 */
export type LookResult<Detail extends string = string> =
  | { readonly effects: readonly SeenEffect<Detail>[] }
  | {
      readonly isDone: boolean | undefined;
      readonly reason?: string | undefined;
      readonly effects?: undefined;
    };

/** How the journal looks for the effect of an endpoint of your own; see `defineEndpoint`. */
export type OwnReconcile<Field extends string = string, Detail extends Field = Field> = {
  /**
   * The input fields that an entry holds, because the effect is recognised by them. Their values are
   * stored as text, so name only what `look` needs: no secret, no personal data. Only strings,
   * numbers and booleans can be stored; with anything else the verdict is `undecided`.
   */
  details: readonly Detail[];
  /**
   * Those of `details` that identify the object the request acts on, such as the id of a payout.
   * Requests for other objects then do not count. Default: none, so every other request counts.
   */
  target?: readonly NoInfer<Detail>[] | undefined;
  /**
   * A name shared by endpoints whose requests can undo each other, such as pause and resume.
   * Default: the `id` of the endpoint.
   */
  actsOn?: string | undefined;
  /**
   * Looks for the effect, by reads only. It may run more than once. An error that it throws is the
   * error of `reconcile`, and the entry stays.
   */
  look(tools: LookTools<NoInfer<Detail>>): Promise<LookResult<NoInfer<Detail>>>;
};
