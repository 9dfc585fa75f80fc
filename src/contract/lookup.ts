import type { Endpoint } from './endpoint.js';

/** An object of a response. Its fields may be anything. */
export type Row = Readonly<Record<string, unknown>>;

/** A wallet whose history shows its debits, as `GET /v1/wallet/history` identifies it. */
export type DebitedWallet = { readonly walletId: string } & (
  | { readonly walletType: 'INTERNAL'; readonly walletCurrency: string }
  | {
      readonly walletType: 'CREDIT' | 'REWARD';
      readonly walletCurrency?: string | undefined;
    }
);

/** An effect that the service shows, caused by this request or by another one. */
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
 * `mayLack`: which effects the service may no longer show. `older`: those older than the newest one,
 * because it replaces them, as a new card does. `any`: all of them. Default: none, so an effect that
 * is missing counts as proof.
 *
 * `isDone`: whether the state that the request causes exists; `undefined` if the reads do not show
 * it. It counts only with the option `hasAllRequests`, and if no similar request explains it. `true`
 * counts only from `settleTime` after the first look: earlier, a read that lags could show the state
 * from before the request.
 */
export type LookResult<Detail extends string = string> =
  | {
      readonly effects: readonly SeenEffect<Detail>[];
      readonly mayLack?: 'older' | 'any' | undefined;
    }
  | {
      readonly isDone: boolean | undefined;
      readonly reason?: string | undefined;
      readonly effects?: undefined;
    };

/** What a `look` may do: only read. Every read uses the region and the user of the request. */
export type LookReads = {
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
  show<Shown extends object>(
    source: Endpoint<unknown, unknown, 'safe'>,
    rows: readonly Shown[],
    fields: readonly (keyof Shown & string)[],
  ): void;
  /**
   * Whether an effect at this time is too old to come from the request: a list that is sorted by
   * time needs no further page. If no earlier time of the service is known, no effect is too old.
   */
  isTooOld(time: string | number | null | undefined): boolean;
  /**
   * Reads the debits of a wallet from its history (`GET /v1/wallet/history`), and adds those that
   * may be later than the request to the evidence. Returns `undefined` if the history cannot be read
   * to its end, or if a new entry may have moved others between its pages.
   *
   * A debit matches a request whose detail `amount` (decimal string) is equal, and may match any
   * other, because it may include a fee. Not public: the journal counts the requests of one
   * operation, so this is only for a wallet that no other operation debits.
   *
   * @internal
   * @throws the errors of the call
   */
  readDebits(wallet: DebitedWallet): Promise<readonly SeenEffect<'amount'>[] | undefined>;
};

/** The tools of a `look` in the contract. They trust no field of a response. */
export type ContractLookTools<Detail extends string = string> = Omit<LookReads, 'read'> & {
  /** The fields of the request that the entry contains, as text. An absent field is `''`. */
  readonly details: Readonly<Record<Detail, string>>;
  /** Reads an object. `null` if the service says that the user has no card; `undefined` after any other 404. */
  readRow<Input>(
    endpoint: Endpoint<Input, unknown, 'safe'>,
    input: Input,
  ): Promise<Row | null | undefined>;
  /** Reads a list; `undefined` after a 404, or if a row is not an object, because it could be about anything. */
  readRows<Input>(
    endpoint: Endpoint<Input, unknown, 'safe'>,
    input: Input,
  ): Promise<readonly Row[] | undefined>;
};

/** Which requests act on the same thing, and may explain what the reads show of each other. */
type SameThing<Detail extends string> = {
  /**
   * Those of `details` that identify the object the request acts on, such as the id of a payout.
   * Requests for other objects then do not count. Default: none, so every other request counts.
   */
  readonly target?: readonly NoInfer<Detail>[] | undefined;
  /**
   * A name shared by endpoints whose requests can undo each other, such as pause and resume.
   * Default: the `id` of the endpoint.
   */
  readonly actsOn?: string | undefined;
  /**
   * Whether the request may take money from a wallet of the user. Each debit of a wallet could then
   * be of this request. Default `true`.
   */
  readonly takesFromWallets?: boolean | undefined;
  /**
   * Whether the effect belongs to the tenant, such as a webhook: requests of all users, in every
   * region, may then explain it. Default `false`.
   */
  readonly isOfTenant?: boolean | undefined;
};

/** The fields of a request that an entry contains. */
type KeptDetails<Field extends string, Detail extends Field> = {
  /**
   * The input fields that an entry contains, because they identify the effect. Their values are
   * stored as text, so name only what `look` needs: no secret, no personal data. Only strings,
   * numbers and booleans can be stored; with anything else the verdict is `undecided`.
   */
  readonly details: readonly Detail[];
  /**
   * For details that are lists of objects: the fields of each item that an entry contains. They are
   * stored as one text: `linea:usdc,solana:usdt`. Default: none.
   */
  readonly listDetails?: Readonly<Partial<Record<NoInfer<Detail>, readonly string[]>>> | undefined;
};

/**
 * How the journal looks for the effect of a request whose outcome is not known.
 *
 * @typeParam Field - the input fields of the endpoint
 * @typeParam Tools - what its `look` gets
 */
export type Reconcile<Field extends string, Detail extends Field, Tools> = KeptDetails<
  Field,
  Detail
> &
  SameThing<Detail> &
  (
    | {
        /**
         * Looks for the effect, by reads only. It may run more than once. An error that it throws is
         * the error of `reconcile`, and the entry stays.
         */
        look(tools: Tools): Promise<LookResult<NoInfer<Detail>>>;
        readonly undecidedBecause?: undefined;
      }
    | {
        readonly look?: undefined;
        /** Why no read shows the effect: the reason of every verdict, which is `undecided`. */
        readonly undecidedBecause: string;
      }
  );

type FieldOf<Input> = Input extends unknown ? keyof Input & string : never;

/** How the journal looks for the effect of a request of the contract. */
export type ContractReconcile<Input> = Reconcile<
  FieldOf<Input>,
  FieldOf<Input>,
  ContractLookTools<FieldOf<Input>>
>;

/** Requests that act on this are explained by every other one that may take from a wallet. */
export const WALLETS = 'wallets';

/** A look that does not show what became of the request. */
export const unclear = (reason: string): LookResult<never> => ({ isDone: undefined, reason });

/** Looks for a debit in the history of a wallet. */
export async function lookAtDebits(
  { readDebits }: Pick<LookReads, 'readDebits'>,
  wallet: DebitedWallet,
): Promise<LookResult<'amount'>> {
  const effects = await readDebits(wallet);
  return effects === undefined
    ? unclear('the history could not be read to its end, or has just changed')
    : { effects };
}
